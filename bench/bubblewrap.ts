import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { PythonEnvironment } from "../src/sandbox/environment/environment.ts";
import { NotMeasured } from "./not-measured.ts";

const run = promisify(execFile);
const INSTALL_MS = 120_000;

/** The version of bubblewrap; root installs it where it is missing. */
export async function bubblewrapVersion(): Promise<string> {
  const found = await version();
  if (found) return found;
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["install", "--yes", "bubblewrap"], { env, timeout: INSTALL_MS }).catch(() => {});
  }
  const installed = await version();
  if (installed) return installed;
  throw new NotMeasured("bubblewrap is not installed");
}

async function version(): Promise<string | undefined> {
  const { stdout } = await run("bwrap", ["--version"]).catch(() => ({ stdout: "" }));
  return stdout.trim().split(" ").at(-1) || undefined;
}

/** Walls like a session's: own namespaces, no network, only Python and its libraries, read-only. */
export function bubblewrapped({ python, prefix, basePrefix }: PythonEnvironment): string[] {
  const readOnly = [...new Set([prefix, basePrefix])].filter((folder) => folder !== "/usr");
  return [
    "bwrap",
    ...["--unshare-all", "--die-with-parent", "--new-session"],
    ...["--tmpfs", "/", "--ro-bind", "/usr", "/usr"],
    ...["/bin", "/lib", "/lib64", "/etc/ld.so.cache"].flatMap((path) => ["--ro-bind-try", path, path]),
    ...[
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--tmpfs",
      "/tmp",
      "--tmpfs",
      "/mnt/data",
      "--chdir",
      "/mnt/data",
    ],
    ...readOnly.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...[python, "-c"],
  ];
}
