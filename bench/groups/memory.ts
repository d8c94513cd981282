import type { Bench, Group } from "../bench.ts";
import type { Contender } from "../contenders/contender.ts";
import { within } from "../interleave.ts";
import { type Memory, memoryOfTrees } from "../processes.ts";
import type { ContenderName, Measured } from "../row.ts";
import { keepFrame } from "../tasks.ts";

/** All that a contender runs, divided by its sessions: our zygote and pool are in it. One after another. */
export const memory: Group = async (bench) => {
  const { plan, glovebox, peers } = bench;
  const before = await memoryOfTrees(await glovebox.processes()).catch(() => undefined);
  const ours = await measure(bench, glovebox, plan.crowd);
  const values: Partial<Record<ContenderName, Measured>> = { glovebox: ours.measured };
  for (const peer of peers) values[peer.name] = (await measure(bench, peer, plan.peerCrowd)).measured;
  for (const [name, reason] of Object.entries(bench.absent)) {
    values[name as ContenderName] = { notMeasured: reason };
  }
  return [
    {
      name: "memory",
      what: `memory a session (PSS) with pandas and a frame, ${plan.crowd} sessions open`,
      unit: "MiB",
      values,
      ...(before && ours.memory ? { remark: details(before, ours.memory, plan.crowd) } : {}),
    },
  ];
};

async function measure(
  bench: Bench,
  contender: Contender,
  count: number,
): Promise<{ measured: Measured; memory?: Memory }> {
  bench.progress(`${contender.name}, ${count} sessions`);
  try {
    const { seats } = await within(bench.plan.limitMs, contender.crowd(count, keepFrame));
    try {
      const memory = await memoryOfTrees(await contender.processes());
      const each = memory.pssBytes / count / 2 ** 20;
      const note = contender.name === "glovebox" ? undefined : `${count} open`;
      return { measured: { median: each, p95: each, samples: 1, ...(note ? { note } : {}) }, memory };
    } finally {
      for (const seat of seats) await seat.close();
    }
  } catch (error) {
    return { measured: { notMeasured: (error as Error).message } };
  }
}

function details(before: Memory, after: Memory, count: number): string {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const marginal = mebibytes((after.pssBytes - before.pssBytes) / count);
  const tables = mebibytes((after.pageTableBytes - before.pageTableBytes) / count);
  const each = ((after.processes - before.processes) / count).toFixed(1);
  return `each session adds ${marginal} MiB to the ${mebibytes(before.pssBytes)} MiB there before, ${tables} MiB of page tables, ${each} processes`;
}
