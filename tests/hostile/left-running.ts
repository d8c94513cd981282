import { readdir, readFile, readlink } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MS = 5000;
const TICKS_A_SECOND = 100;
const PARENT_FIELD = 1;
const START_FIELD = 19;

/** A number alone may be another process's by now; with the time of its start it is one process's own. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly parent: number;
  readonly startTick: number;
}

/** PID namespaces by the moment at which they were a session's own: the system gives their names out again. */
export class Habitats {
  readonly #toldAt = new Map<string, number>();

  async add(namespace: string): Promise<void> {
    if (!this.#toldAt.has(namespace)) this.#toldAt.set(namespace, await nowInTicks());
  }

  /** A namespace lives as long as its first process: what began before it was told of is all there is to look for. */
  async inhabitants(): Promise<ProcessIdentity[]> {
    const found: ProcessIdentity[] = [];
    for (const process of await processes()) {
      const namespace = await readlink(`/proc/${process.pid}/ns/pid`).catch(() => "");
      if (process.startTick < (this.#toldAt.get(namespace) ?? 0)) found.push(process);
    }
    return found;
  }

  /** Waits for everybody to be gone; who is left is ended, so as not to disturb the next case, and told. */
  async leftRunning(): Promise<number[]> {
    return leftOf(() => this.inhabitants());
  }
}

export async function leftOf(look: () => Promise<ProcessIdentity[]>): Promise<number[]> {
  const deadline = performance.now() + PATIENCE_MS;
  let left = await look();
  while (left.length > 0 && performance.now() < deadline) {
    await pause(20);
    left = await look();
  }
  for (const { pid } of left) process.kill(pid, "SIGKILL");
  return left.map(({ pid }) => pid);
}

/** Those of these processes that have not ended. */
export async function stillAlive(family: readonly ProcessIdentity[]): Promise<ProcessIdentity[]> {
  const now = await processes();
  return family.filter(({ pid, startTick }) =>
    now.some((each) => each.pid === pid && each.startTick === startTick),
  );
}

export async function descendants(of: number = process.pid): Promise<ProcessIdentity[]> {
  const all = await processes();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === of || isOurs(parent));
  };
  return all.filter(({ pid }) => isOurs(pid));
}

/** Every process of the machine that has not ended. */
async function processes(): Promise<ProcessIdentity[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map((name) => identify(Number(name))));
  return found.filter((process) => process !== undefined);
}

async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (status === undefined) return undefined;
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  return { pid, parent: Number(fields[PARENT_FIELD]), startTick: Number(fields[START_FIELD]) };
}

async function nowInTicks(): Promise<number> {
  return Math.floor(Number((await readFile("/proc/uptime", "utf8")).split(" ")[0]) * TICKS_A_SECOND);
}
