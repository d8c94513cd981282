import { readdir, readFile } from "node:fs/promises";
import { NotMeasured } from "./not-measured.ts";

export interface Memory {
  readonly pssBytes: number;
  readonly pageTableBytes: number;
  readonly processes: number;
}

/** Our own children whose command line holds a word. */
export async function childrenNamed(word: string): Promise<number[]> {
  const ours = (await parents()).filter(([, parent]) => parent === process.pid).map(([pid]) => pid);
  const lines = await Promise.all(
    ours.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return ours.filter((_, index) => lines[index]?.includes(word));
}

/** What these processes and all below them hold: a page shared by n processes counts 1/n in each. */
export async function memoryOfTrees(roots: readonly number[]): Promise<Memory> {
  const below = new Map<number, number[]>();
  for (const [pid, parent] of await parents()) below.set(parent, [...(below.get(parent) ?? []), pid]);
  const all = [...roots];
  for (const pid of all) all.push(...(below.get(pid) ?? []));
  let pssBytes = 0;
  let pageTableBytes = 0;
  for (const pid of all) {
    pssBytes += await kibibytes(`/proc/${pid}/smaps_rollup`, "Pss");
    pageTableBytes += await kibibytes(`/proc/${pid}/status`, "VmPTE");
  }
  return { pssBytes, pageTableBytes, processes: all.length };
}

async function parents(): Promise<[pid: number, parent: number][]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats.filter(Boolean).map((stat) => {
    // The name in brackets may hold spaces and brackets itself.
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [Number.parseInt(stat, 10), Number(afterName[1])];
  });
}

async function kibibytes(file: string, field: string): Promise<number> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ESRCH") return "";
    throw new NotMeasured("its memory may be read by root only");
  });
  return 1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
}
