import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { pidNamespace, startTime } from "../../support/process-identity.ts";

/** This process, as the names of its containers tell it: machine, process, and when it started. */
export function ownOwner(): string {
  return `${machine()}-${process.pid}-${startTime(process.pid) ?? 0}`;
}

/** Whether the process that a name tells of is one of this machine's, and is over. */
export function isDead(owner: string): boolean {
  const [where, pid, started] = owner.split("-");
  if (where !== machine() || !/^\d+$/.test(pid ?? "") || started === undefined) return false;
  if (process.platform === "linux") return startTime(Number(pid)) !== started;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function machine(): string {
  const place = process.platform === "linux" ? pidNamespace() : hostname();
  return createHash("sha256").update(place).digest("hex").slice(0, 12);
}
