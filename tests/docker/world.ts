// What every test of containers works with: a daemon, and the kernel's image on a base made from this machine's files.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { kernelFolder, lockFile, pythonEnvironment } from "../../src/compose.ts";
import { defaultLimits, gloveboxHome } from "../../src/config.ts";
import { type Glovebox, openGlovebox } from "../../src/index.ts";
import type { Limits } from "../../src/protocol/messages.ts";
import { DockerSandbox, type DockerSandboxOptions } from "../../src/sandbox/docker/docker-sandbox.ts";
import { buildImage } from "../../src/sandbox/docker/image.ts";
import { TestDaemon, whyNoDaemon } from "./daemon.ts";

const run = promisify(execFile);
const BASE = "glovebox-test-base";
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const dockerfile: string = here("../../docker/Dockerfile");

export const usualLimits: Limits = {
  memory_bytes: defaultLimits.memoryBytes,
  work_bytes: defaultLimits.workBytes,
  tmp_bytes: defaultLimits.tmpBytes,
  processes: defaultLimits.processes,
};

/** Why there can be no containers here, or nothing. */
export async function whyNoWorld(): Promise<string | undefined> {
  const why = await whyNoDaemon();
  if (why) return why;
  const { source } = await pythonEnvironment(gloveboxHome());
  return source === "debian"
    ? "the environment is Debian's packages, and the image's is the lock's"
    : undefined;
}

export class World implements AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly image: string;

  private constructor(daemon: TestDaemon, image: string) {
    this.daemon = daemon;
    this.image = image;
  }

  static async stand(): Promise<World> {
    const daemon = new TestDaemon(await mkdtemp(join(tmpdir(), "glovebox-docker-")));
    try {
      await daemon.start();
      await importBase(daemon);
      const engine = { env: daemon.env };
      return new World(daemon, await buildImage({ engine, kernelFolder, lockFile, dockerfile, base: BASE }));
    } catch (error) {
      await daemon[Symbol.asyncDispose]();
      throw error;
    }
  }

  sandbox(options: Partial<DockerSandboxOptions> = {}): DockerSandbox {
    return new DockerSandbox({
      image: this.image,
      limits: usualLimits,
      pool: 1,
      cpus: 1,
      env: this.daemon.env,
      ...options,
    });
  }

  async open(options: Partial<DockerSandboxOptions> = {}): Promise<Glovebox> {
    const sandbox = this.sandbox(options);
    await sandbox.warm();
    return openGlovebox({ sandbox });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon[Symbol.asyncDispose]();
  }
}

async function importBase(daemon: TestDaemon): Promise<void> {
  const { prefix, basePrefix, version } = await pythonEnvironment(gloveboxHome());
  const root = join(daemon.folder, "base");
  const short = version.split(".").slice(0, 2).join(".");
  await run("sh", [here("base-image.sh"), root, prefix, basePrefix, short], { maxBuffer: 1 << 24 });
  const importing = `tar -C "$1" -c . | docker import --change "ENV PATH=/usr/local/bin:/usr/bin:/bin" - ${BASE}`;
  await run("sh", ["-c", importing, "sh", root], { env: daemon.env });
  await rm(root, { recursive: true });
}
