import { GloveboxError } from "../../errors.ts";
import { childEnvironment } from "./child-environment.ts";
import {
  alwaysInDebian,
  aptInstall,
  aptInstallCommand,
  aptUpdate,
  availablePackages,
  debianName,
  installedPackages,
} from "./debian-packages.ts";
import type { Installer, InstallerContext } from "./installer.ts";
import { installerFailure } from "./installer-failure.ts";
import { directNames } from "./lock-file.ts";
import { runCommand } from "./run-command.ts";

// ask what this release has → install it (root) or name the command → a venv that sees the system's packages
export const installFromDebian: Installer = async (context) => {
  const names = directNames(context.lock).map(debianName);
  if (process.getuid?.() === 0) await installAsRoot(context, names);
  else await insistOnBasics(context, names);

  context.report({
    step: "Creating the environment",
    detail: `Python ${context.python.version}, Debian's packages`,
  });
  const { scratch: cwd, signal } = context;
  const args = ["-m", "venv", "--system-site-packages", "--without-pip", context.prefix];
  const env = childEnvironment(context.env);
  const created = await runCommand({ command: context.python.executable, args, env, cwd, signal });
  if (!created.ok) throw await installerFailure("python -m venv", created, context.prefix);
  return "installed";
};

async function installAsRoot(context: InstallerContext, names: string[]): Promise<void> {
  context.report({ step: "Asking apt what there is" });
  const updated = await aptUpdate(context);
  const available = await availablePackages(names, context);
  const installed = await installedPackages(names, context);
  const wanted = names.filter((name) => available.has(name) && !installed.has(name));
  if (available.size === 0 && installed.size === 0)
    throw await installerFailure("apt-get update", updated, context.prefix);
  if (wanted.length === 0) return;

  let done = 0;
  const step = "Installing Debian's packages";
  context.report({ step, done, total: wanted.length });
  const onLine = (line: string) => {
    const name = /^Setting up ([^\s:]+)/.exec(line)?.[1];
    if (name && wanted.includes(name))
      context.report({ step, detail: name, done: ++done, total: wanted.length });
  };
  const result = await aptInstall(wanted, { ...context, onLine });
  if (!result.ok) throw await installerFailure("apt-get install", result, context.prefix);
}

async function insistOnBasics(context: InstallerContext, names: string[]): Promise<void> {
  const installed = await installedPackages(names, context);
  const basics = directNames(context.lock)
    .filter((name) => alwaysInDebian.has(name))
    .map(debianName);
  if (basics.every((name) => installed.has(name))) return;
  const available = await availablePackages(names, context);
  const wanted = names.filter(
    (name) => !installed.has(name) && (available.has(name) || basics.includes(name)),
  );
  const index = context.obstacle ? `The Python package index cannot be reached (${context.obstacle}). ` : "";
  const why = `${index}Installing Debian's Python packages needs root.`;
  const fix = `Run this, then \`glovebox setup\` again:\n  ${aptInstallCommand(wanted)}`;
  throw new GloveboxError("environment", `${why} ${fix}`);
}
