import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, compare, type Group } from "../bench.ts";
import { type Contender, type Crowd, once } from "../contenders/contender.ts";
import { within } from "../interleave.ts";
import type { Measured, Row } from "../row.ts";
import { summarize } from "../statistics.ts";
import { keepFrame, keptFrame } from "../tasks.ts";

const ENDED_SESSIONS_MS = 300;

export const crowd: Group = async (bench) => [await atOnce(bench), await allAlive(bench)];

async function atOnce(bench: Bench): Promise<Row> {
  const { plan, glovebox, peers } = bench;
  const entry = (contender: Contender, count: number) => ({
    name: contender.name,
    sample: async () => leave(await contender.crowd(count, keepFrame)),
    note: contender === glovebox ? undefined : `${count} at once`,
  });
  const values = await compare(bench, plan.crowds, [
    entry(glovebox, plan.crowd),
    ...peers.map((peer) => entry(peer, plan.peerCrowd)),
  ]);
  const what = `${plan.crowd} sessions opened at once: until each has its pandas answer`;
  return { name: "at-once", what, unit: "ms", values };
}

/** Opens them all, then asks each again for what it made before. */
async function allAlive(bench: Bench): Promise<Row> {
  const { alive, limitMs } = bench.plan;
  bench.progress(`glovebox, ${alive} sessions`);
  const name = "alive";
  const what = `${alive} sessions alive at once, each answering twice`;
  const begun = performance.now();
  let remark = "no";
  let measured: Measured;
  try {
    const opened = await within(limitMs, bench.glovebox.crowd(alive, keepFrame));
    try {
      const answers = opened.seats.map((seat) => seat.run(keptFrame, once));
      await within(limitMs, Promise.all(answers));
      measured = summarize([(performance.now() - begun) / 1000]);
      remark = `yes: ${alive} of ${alive} answered`;
    } finally {
      await leave(opened);
    }
  } catch (error) {
    measured = { notMeasured: (error as Error).message };
  }
  return { name, what, unit: "s", values: { glovebox: measured }, remark };
}

async function leave({ times, seats }: Crowd): Promise<readonly number[]> {
  await Promise.all(seats.map((seat) => seat.close()));
  await sleep(ENDED_SESSIONS_MS);
  return times;
}
