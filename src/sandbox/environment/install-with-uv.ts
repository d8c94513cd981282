import { join } from "node:path";
import { childEnvironment } from "./child-environment.ts";
import type { Installer, InstallerContext } from "./installer.ts";
import { installerFailure, unreachableReason } from "./installer-failure.ts";
import { writeProbeLock } from "./probe-requirement.ts";
import { type CommandResult, runCommand } from "./run-command.ts";

const impatiently = { UV_HTTP_TIMEOUT: "8", UV_HTTP_RETRIES: "1" };

// make the venv → install one package impatiently → install the rest
export function installWithUv(uv: string): Installer {
  return async (context) => {
    context.report({ step: "Creating the environment", detail: `Python ${context.python.version}, uv` });
    const venv = ["venv", "--no-project", "--python", context.python.executable, context.prefix];
    const created = await run(context, uv, venv);
    if (!created.ok) throw await installerFailure("uv venv", created, context.prefix);

    context.report({ step: "Looking for the package index" });
    const probe = await uvInstall(
      context,
      uv,
      await writeProbeLock(context.lock, context.scratch),
      impatiently,
    );
    if (!probe.ok) {
      const unreachable = unreachableReason(probe);
      if (unreachable) return { unreachable };
      throw await installerFailure("uv", probe, context.prefix);
    }

    const installed = await uvInstall(context, uv, context.lock.path, {}, uvProgress(context));
    if (!installed.ok) throw await installerFailure("uv", installed, context.prefix);
    return "installed";
  };
}

function uvInstall(
  context: InstallerContext,
  uv: string,
  lockPath: string,
  extra: NodeJS.ProcessEnv,
  onLine?: (line: string) => void,
): Promise<CommandResult> {
  const python = join(context.prefix, "bin", "python");
  // Copies: a link into uv's cache would share its permissions and its changes.
  const how = [
    "--require-hashes",
    "--only-binary",
    ":all:",
    "--no-deps",
    "--compile-bytecode",
    "--link-mode",
    "copy",
  ];
  return run(context, uv, ["pip", "install", "--python", python, ...how, "-r", lockPath], extra, onLine);
}

function run(
  context: InstallerContext,
  uv: string,
  args: string[],
  extra: NodeJS.ProcessEnv = {},
  onLine?: (line: string) => void,
): Promise<CommandResult> {
  const env = childEnvironment(context.env, { TMPDIR: context.scratch, ...extra });
  const { scratch: cwd, signal } = context;
  return runCommand({ command: uv, args, env, cwd, signal, ...(onLine ? { onLine } : {}) });
}

function uvProgress(context: InstallerContext): (line: string) => void {
  let total = context.lock.requirements.length;
  return (line) => {
    const resolved = /^Resolved (\d+) packages?/.exec(line)?.[1];
    const downloading = /^\s*Downloading (\S+)/.exec(line)?.[1];
    if (resolved) total = Number(resolved);
    if (resolved) context.report({ step: "Downloading packages", total });
    else if (downloading) context.report({ step: "Downloading packages", detail: downloading, total });
    else if (line.startsWith("Prepared ")) context.report({ step: "Installing packages", total });
    else if (line.startsWith("Installed "))
      context.report({ step: "Compiling packages", done: total, total });
  };
}
