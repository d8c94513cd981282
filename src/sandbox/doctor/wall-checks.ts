import { readlinkSync } from "node:fs";
import type { Walls } from "../../protocol/messages.ts";
import { type Check, reportIt } from "./check.ts";
import type { WallFacts } from "./wall-facts.ts";

type Finding = { ok: boolean | null; detail: string; mend?: string };

const needed = ["mnt", "pid", "net", "ipc", "uts"];
const noSeccomp = "Use a Linux kernel with CONFIG_SECCOMP_FILTER.";

/** What the facts from inside say about each wall. */
export function judgeWalls(facts: WallFacts, walls: Walls): Check[] {
  const findings: Record<string, Finding> = {
    namespaces: namespaces(facts, walls),
    network: network(facts),
    "host's files": hostFiles(facts),
    "read-only root": readOnlyRoot(facts),
    "host's processes": hostProcesses(facts),
    "host's settings": hostSettings(facts),
    privileges: privileges(facts),
    "system calls": systemCalls(facts),
  };
  return Object.entries(findings).map(([name, finding]) => ({
    group: "walls",
    name,
    ...(finding.ok === false ? { mend: reportIt } : {}),
    ...finding,
  }));
}

function namespaces(facts: WallFacts, walls: Walls): Finding {
  const own = Object.keys(facts.namespaces).filter((name) => facts.namespaces[name] !== hostNamespace(name));
  const wanted = walls.mode === "user" ? [...needed, "user"] : needed;
  const shared = wanted.filter((name) => !own.includes(name));
  if (shared.length > 0) return { ok: false, detail: `shared with the host: ${shared.join(", ")}` };
  const instead = walls.mode === "root" ? "; as root, an account of its own in place of user" : "";
  return { ok: true, detail: `own ${own.join(", ")}${instead}` };
}

function hostNamespace(name: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/ns/${name}`);
  } catch {
    return undefined;
  }
}

function network(facts: WallFacts): Finding {
  const other = facts.interfaces.filter((name) => name !== "lo");
  if (facts.reached.length > 0)
    return { ok: false, detail: `a cell reached ${facts.reached.join(", ")} on the host` };
  if (other.length > 0) return { ok: false, detail: `a cell has the interfaces ${other.join(", ")}` };
  return { ok: true, detail: "none: a listener on the host was not reached, not even on loopback" };
}

function hostFiles(facts: WallFacts): Finding {
  if (facts.seen_files.length > 0) return { ok: false, detail: `a cell sees ${facts.seen_files.join(", ")}` };
  return { ok: true, detail: "a file in the host's temporary folder, /var and others are not to be seen" };
}

function readOnlyRoot(facts: WallFacts): Finding {
  if (facts.writable.length > 0)
    return { ok: false, detail: `a cell can write to ${facts.writable.join(", ")}` };
  return { ok: true, detail: "only /mnt/data, /tmp and /dev/shm can be written to" };
}

function hostProcesses(facts: WallFacts): Finding {
  if (!facts.own_proc) return { ok: false, detail: "/proc is the host's" };
  return { ok: true, detail: `a cell sees ${facts.processes}, all of its own session` };
}

function hostSettings(facts: WallFacts): Finding {
  if (facts.sees_variable) return { ok: false, detail: "a cell sees the host's environment variables" };
  return { ok: true, detail: "none of the host's environment variables is passed on" };
}

function privileges({ status, uid }: WallFacts): Finding {
  const faults: string[] = [];
  if (uid === 0) faults.push("cells run as root");
  if (status.NoNewPrivs !== "1") faults.push("no_new_privs is off");
  for (const set of ["CapEff", "CapPrm", "CapAmb", "CapBnd"]) {
    if (!/^0+$/.test(status[set] ?? "")) faults.push(`${set} is ${status[set]}`);
  }
  if (faults.length > 0) return { ok: false, detail: faults.join(", ") };
  return { ok: true, detail: `none: user ${uid}, no capabilities, no_new_privs` };
}

function systemCalls({ status, refused, not_refused }: WallFacts): Finding {
  if (status.Seccomp !== "2") return { ok: false, detail: "no seccomp filter is on", mend: noSeccomp };
  if (not_refused.length > 0) return { ok: false, detail: `not refused: ${not_refused.join(", ")}` };
  return { ok: true, detail: `seccomp filter on; refused: ${refused.join(", ")}` };
}
