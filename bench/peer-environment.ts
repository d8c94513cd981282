import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnvironment } from "../src/sandbox/environment/child-environment.ts";
import type { PythonEnvironment } from "../src/sandbox/environment/environment.ts";
import { NotMeasured } from "./not-measured.ts";

const run = promisify(execFile);
const requirementsFile = fileURLToPath(new URL("requirements.txt", import.meta.url));
const INSTALL_MS = 180_000;

export interface PeerEnvironment {
  readonly python: string;
  readonly ipykernel: string;
  readonly jupyterClient: string;
}

/** ipykernel and jupyter_client in a venv of their own, on the very pandas, numpy and IPython of the sessions. */
export async function ensurePeerEnvironment(home: string, base: PythonEnvironment): Promise<PeerEnvironment> {
  const requirements = await readFile(requirementsFile, "utf8");
  const key = createHash("sha256")
    .update(`${requirements}\n${base.prefix}\n${base.version}`)
    .digest("hex")
    .slice(0, 16);
  const folder = join(home, "bench", key);
  const python = join(folder, "bin", "python");
  const complete = await stat(folder).catch(() => undefined);
  if (!complete) {
    try {
      await build(folder, base);
    } catch (cause) {
      throw new NotMeasured("ipykernel cannot be installed", { cause });
    }
  }
  return {
    python,
    ipykernel: pinned(requirements, "ipykernel"),
    jupyterClient: pinned(requirements, "jupyter_client"),
  };
}

// venv → path to the sessions' packages, so that pip finds them satisfied → pip → its name, once it is whole
async function build(folder: string, base: PythonEnvironment): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  const python = join(draft, "bin", "python");
  const options = { env: childEnvironment(process.env), timeout: INSTALL_MS };
  try {
    await run(base.python, ["-m", "venv", draft], options);
    const packages = await lineFrom(
      base.python,
      "import os, pandas; print(os.path.dirname(os.path.dirname(pandas.__file__)))",
    );
    const own = await lineFrom(python, "import sysconfig; print(sysconfig.get_path('purelib'))");
    await writeFile(join(own, "sessions-packages.pth"), `${packages}\n`);
    const quietly = ["--no-input", "--progress-bar", "off", "--disable-pip-version-check"];
    await run(python, ["-m", "pip", "install", ...quietly, "-r", requirementsFile], options);
    await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
      // Another run was first; its environment is the same.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function lineFrom(python: string, code: string): Promise<string> {
  return (await run(python, ["-c", code])).stdout.trim();
}

function pinned(requirements: string, name: string): string {
  return new RegExp(`^${name}==(\\S+)`, "m").exec(requirements)?.[1] ?? "unknown";
}
