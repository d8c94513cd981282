import { readFileSync, readlinkSync } from "node:fs";

/** When a process started, in the kernel's ticks; a pid alone may be somebody else's by now. */
export function startTime(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** The boot and the namespace that a pid means something in. */
export function pidNamespace(): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
}
