import type { Check } from "./check.ts";
import type { HostSettings } from "./host-settings.ts";
import type { NamespaceTrial } from "./namespace-trial.ts";

const inWords: Record<string, string> = {
  user: "user namespaces",
  mnt: "mount namespaces",
  pid: "process namespaces",
  net: "network namespaces",
  ipc: "IPC namespaces",
  uts: "host name namespaces",
  mount: "mounts of its own",
  proc: "a /proc of its own",
};

/** Why the walls cannot be raised here and the command that mends it, for each thing that was refused. */
export function explainRefusals(trial: NamespaceTrial, host: HostSettings): Check[] {
  const refused = Object.entries(trial).filter((entry): entry is [string, string] => entry[1] !== null);
  const userRefused = refused.some(([name]) => name === "user");
  // Without user namespaces an ordinary user gets none of the others.
  const told = userRefused ? refused.filter(([name]) => name === "user" || isForbidden(name, host)) : refused;
  return told.map(([name, error]) => ({
    group: "walls",
    name: inWords[name] ?? name,
    ok: false,
    ...explain(name, error, host),
  }));
}

function explain(name: string, error: string, host: HostSettings): { detail: string; mend: string } {
  const { sysctl, inContainer } = host;
  if (isForbidden(name, host)) {
    const key = `user.max_${name}_namespaces`;
    return { detail: `refused (${error}): ${key} is 0`, mend: `sudo sysctl -w ${key}=15000` };
  }
  if (sysctl["kernel.unprivileged_userns_clone"] === "0") {
    const key = "kernel.unprivileged_userns_clone";
    return { detail: `refused (${error}): ${key} is 0`, mend: `sudo sysctl -w ${key}=1` };
  }
  if (inContainer) {
    const proc = name === "proc" ? " --security-opt systempaths=unconfined" : "";
    const mend = `Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined${proc}`;
    return { detail: `refused (${error}) by the container that this runs in`, mend };
  }
  if (sysctl["kernel.apparmor_restrict_unprivileged_userns"] === "1") {
    const key = "kernel.apparmor_restrict_unprivileged_userns";
    return { detail: `refused (${error}): AppArmor's ${key} is 1`, mend: `sudo sysctl -w ${key}=0` };
  }
  const detail = `refused (${error}) by this machine's kernel or security module`;
  return { detail, mend: "Run glovebox as root, or allow unprivileged user namespaces for it" };
}

function isForbidden(name: string, host: HostSettings): boolean {
  return host.sysctl[`user.max_${name}_namespaces`] === "0";
}
