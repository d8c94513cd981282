import { access } from "node:fs/promises";
import { childEnvironment } from "./child-environment.ts";
import { programPath } from "./find-python.ts";
import { type CommandResult, runCommand } from "./run-command.ts";

type Apt = { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined };

// Where Debian's name is not "python3-" and the distribution's name.
const debianNames: Record<string, string> = {
  beautifulsoup4: "python3-bs4",
  pillow: "python3-pil",
  "python-dateutil": "python3-dateutil",
  "python-docx": "python3-docx",
  "python-pptx": "python3-pptx",
  pytz: "python3-tz",
  pyyaml: "python3-yaml",
  "scikit-learn": "python3-sklearn",
};

/** In every release that has Python 3.10; a setup without root insists on these alone. */
export const alwaysInDebian = new Set([
  "beautifulsoup4",
  "ipython",
  "jinja2",
  "lxml",
  "matplotlib",
  "matplotlib-inline",
  "networkx",
  "numpy",
  "openpyxl",
  "pandas",
  "pillow",
  "python-dateutil",
  "requests",
  "scikit-learn",
  "scipy",
  "seaborn",
  "sympy",
  "tabulate",
]);

export function debianName(name: string): string {
  return debianNames[name] ?? `python3-${name}`;
}

export async function isDebian(env: NodeJS.ProcessEnv): Promise<boolean> {
  const release = await access("/etc/debian_version").then(
    () => true,
    () => false,
  );
  return release && (await programPath("apt-get", env)) !== undefined;
}

export async function installedPackages(names: string[], apt: Apt): Promise<Set<string>> {
  const args = ["-W", "-f", `\${Package} \${db:Status-Status}\n`, ...names];
  const { stdout } = await debianCommand("dpkg-query", args, apt);
  return new Set(
    stdout.filter((line) => line.endsWith(" installed")).map((line) => line.split(" ")[0] ?? ""),
  );
}

export async function availablePackages(names: string[], apt: Apt): Promise<Set<string>> {
  const { stdout } = await debianCommand("apt-cache", ["policy", ...names], apt);
  const found = new Set<string>();
  let name = "";
  for (const line of stdout) {
    if (/^\S+:$/.test(line)) name = line.slice(0, -1);
    if (/^ {2}Candidate: (?!\(none\))/.test(line)) found.add(name);
  }
  return found;
}

export function aptInstallCommand(packages: string[]): string {
  return `sudo apt-get update && sudo apt-get install --no-install-recommends ${packages.join(" ")}`;
}

export async function aptUpdate(apt: Apt): Promise<CommandResult> {
  return await debianCommand("apt-get", ["update", "-q", "-o", "Acquire::Retries=1"], apt);
}

export async function aptInstall(
  packages: string[],
  apt: Apt & { onLine?: (line: string) => void },
): Promise<CommandResult> {
  // Completes what an installation that was ended half-way left.
  await debianCommand("dpkg", ["--configure", "-a"], apt);
  const args = [
    "install",
    "-q",
    "-y",
    "--no-install-recommends",
    "-o",
    "DPkg::Lock::Timeout=120",
    ...packages,
  ];
  return await debianCommand("apt-get", args, apt);
}

function debianCommand(
  command: string,
  args: string[],
  apt: Apt & { onLine?: (line: string) => void },
): Promise<CommandResult> {
  const env = childEnvironment(apt.env, { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" });
  const { signal, onLine } = apt;
  return runCommand({ command, args, env, signal, graceMs: 30_000, ...(onLine ? { onLine } : {}) });
}
