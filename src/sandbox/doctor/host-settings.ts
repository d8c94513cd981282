import { existsSync, readFileSync } from "node:fs";

/** What of the host decides whether walls can be raised. */
export interface HostSettings {
  /** Values below /proc/sys, by their sysctl names; only those that exist. */
  readonly sysctl: Readonly<Record<string, string>>;
  readonly inContainer: boolean;
  /** Root of a user namespace, which has few accounts to give away, and not of the machine. */
  readonly isMappedRoot: boolean;
}

const names = [
  "kernel.unprivileged_userns_clone",
  "kernel.apparmor_restrict_unprivileged_userns",
  ...["user", "mnt", "pid", "net", "ipc", "uts"].map((kind) => `user.max_${kind}_namespaces`),
];

export function readHostSettings(): HostSettings {
  const sysctl: Record<string, string> = {};
  for (const name of names) {
    const value = read(`/proc/sys/${name.replaceAll(".", "/")}`);
    if (value !== undefined) sysctl[name] = value;
  }
  const everyAccount = /^\s*0\s+0\s+4294967295$/.test(read("/proc/self/uid_map") ?? "");
  const isMappedRoot = process.getuid?.() === 0 && !everyAccount;
  return { sysctl, inContainer: isContainer(), isMappedRoot };
}

function isContainer(): boolean {
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv")) return true;
  return /docker|kubepods|containerd|lxc/.test(read("/proc/1/cgroup") ?? "");
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
