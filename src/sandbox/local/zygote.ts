import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import type { Limits } from "../../protocol/messages.ts";
import type { PythonEnvironment } from "../environment/environment.ts";
import { innerEnvironment } from "../inner-environment.ts";

export interface ZygoteOptions {
  readonly environment: PythonEnvironment;
  readonly kernelFolder: string;
  /** Where libraries keep what they work out once, such as matplotlib its list of fonts. */
  readonly cacheFolder: string;
  readonly limits: Limits;
  /** How many kernels are forked ahead of need. */
  readonly pool: number;
  readonly cgroups: boolean;
  /** Threads that native libraries may use. */
  readonly cpus: number;
  /** Another user to run the zygote as; only root can. */
  readonly runAs?: { readonly uid: number; readonly gid: number };
  readonly onLog?: (line: string) => void;
}

const Announcement = z.object({
  failure: z.string().nullable(),
  mode: z.enum(["root", "user"]),
  cgroup: z.enum(["v1", "v2", "none"]),
  python: z.string(),
});

const WARM_MODULES = ["numpy", "pandas", "matplotlib.pyplot"];
const FAREWELL_MS = 2000;

/** The process that imports the heavy libraries once and forks every kernel. */
export class Zygote {
  readonly socketPath: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #lastWords: string[];

  private constructor(process: ChildProcess, folder: string, lastWords: string[]) {
    this.#process = process;
    this.#folder = folder;
    this.#lastWords = lastWords;
    this.socketPath = join(folder, "socket");
  }

  static async start(options: ZygoteOptions): Promise<Zygote> {
    const folder = await mkdtemp(join(tmpdir(), "glovebox-"));
    if (options.runAs) await chown(folder, options.runAs.uid, options.runAs.gid);
    const child = spawn(options.environment.python, ["-I", "zygote.py"], {
      cwd: options.kernelFolder,
      env: { PATH: `${options.environment.prefix}/bin:/usr/bin:/bin`, ...innerEnvironment(options.cpus) },
      // Standard input is the lifeline: it closes when this process dies, however it dies.
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      ...options.runAs,
    });
    const lastWords: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      lastWords.push(line);
      if (lastWords.length > 20) lastWords.shift();
      options.onLog?.(line);
    });
    const zygote = new Zygote(child, folder, lastWords);
    child.stdin.on("error", () => {});
    child.stdin.write(`${JSON.stringify(settings(options, folder))}\n`);
    try {
      await zygote.#announced();
    } catch (error) {
      await zygote.stop();
      throw error;
    }
    for (const handle of [child, child.stdin, child.stdout, child.stderr] as { unref?: () => void }[]) {
      handle.unref?.();
    }
    return zygote;
  }

  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async stop(): Promise<void> {
    if (this.alive) {
      const exited = once(this.#process, "exit");
      this.#process.ref();
      this.#process.stdin?.destroy();
      const timer = setTimeout(() => this.#process.kill("SIGKILL"), FAREWELL_MS);
      await exited;
      clearTimeout(timer);
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #announced(): Promise<void> {
    const line = await firstLine(this.#process);
    if (line === undefined) throw this.#failure("it ended before it was ready");
    const announcement = Announcement.safeParse(parseJson(line));
    if (!announcement.success) throw this.#failure(`it said ${line.slice(0, 200)}`);
    if (announcement.data.failure !== null) throw this.#failure(announcement.data.failure);
  }

  #failure(reason: string): GloveboxError {
    const words = this.#lastWords.length > 0 ? `\n${this.#lastWords.slice(-5).join("\n")}` : "";
    return new GloveboxError(
      "sandbox-unavailable",
      `The local sandbox cannot start: ${reason}. Run "glovebox doctor" to see what is missing and how to mend it.${words}`,
    );
  }
}

function settings(options: ZygoteOptions, folder: string): object {
  const { prefix, basePrefix } = options.environment;
  return {
    folder,
    cache: options.cacheFolder,
    pool: options.pool,
    cgroups: options.cgroups,
    warm: WARM_MODULES,
    // What a system's own Python needs of /usr is there anyway.
    prefixes: [basePrefix, prefix].filter((folder) => folder !== "/usr"),
    ...options.limits,
  };
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined;
  const lines = createInterface({ input: child.stdout });
  const line = once(lines, "line").then(([text]) => String(text));
  const ended = Promise.race([once(lines, "close"), once(child, "error")]).then(() => undefined);
  return Promise.race([line, ended]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
