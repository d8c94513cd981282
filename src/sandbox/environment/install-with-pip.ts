import { join } from "node:path";
import { childEnvironment } from "./child-environment.ts";
import type { Installer, InstallerContext } from "./installer.ts";
import { installerFailure, unreachableReason } from "./installer-failure.ts";
import { writeProbeLock } from "./probe-requirement.ts";
import { type CommandResult, runCommand } from "./run-command.ts";

const everyInstall = [
  "-m",
  "pip",
  "install",
  "--require-hashes",
  "--only-binary",
  ":all:",
  "--no-deps",
  "--compile",
];
const quietly = ["--no-user", "--no-input", "--progress-bar", "off", "--disable-pip-version-check"];
const impatiently = ["--retries", "1", "--timeout", "8"];

// make the venv → install one package impatiently → install the rest
export const installWithPip: Installer = async (context) => {
  context.report({ step: "Creating the environment", detail: `Python ${context.python.version}` });
  const created = await run(context, context.python.executable, ["-m", "venv", context.prefix]);
  if (!created.ok) throw await installerFailure("python -m venv", created, context.prefix);

  context.report({ step: "Looking for the package index" });
  const probe = await pipInstall(context, [
    ...impatiently,
    "-r",
    await writeProbeLock(context.lock, context.scratch),
  ]);
  if (!probe.ok) {
    const unreachable = unreachableReason(probe);
    if (unreachable) return { unreachable };
    throw await installerFailure("pip", probe, context.prefix);
  }

  const installed = await pipInstall(context, ["-r", context.lock.path], pipProgress(context));
  if (!installed.ok) throw await installerFailure("pip", installed, context.prefix);
  return "installed";
};

function pipInstall(
  context: InstallerContext,
  args: string[],
  onLine?: (line: string) => void,
): Promise<CommandResult> {
  const python = join(context.prefix, "bin", "python");
  return run(context, python, [...everyInstall, ...quietly, ...args], onLine);
}

function run(
  context: InstallerContext,
  command: string,
  args: string[],
  onLine?: (line: string) => void,
): Promise<CommandResult> {
  const env = childEnvironment(context.env, { TMPDIR: context.scratch });
  const { scratch: cwd, signal } = context;
  return runCommand({ command, args, env, cwd, signal, ...(onLine ? { onLine } : {}) });
}

function pipProgress(context: InstallerContext): (line: string) => void {
  let total = context.lock.requirements.length;
  let done = 0;
  return (line) => {
    const [, verb, name] =
      /^(Ignoring|Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)/.exec(line) ?? [];
    if (verb === "Ignoring") total -= 1;
    else if (verb && name)
      context.report({ step: "Downloading packages", detail: name, done: ++done, total });
    else if (line.startsWith("Installing collected packages"))
      context.report({ step: "Installing packages", total });
  };
}
