import { compare, type Group } from "../bench.ts";
import { interleave } from "../interleave.ts";
import type { Measured, Row } from "../row.ts";
import { pandasResult } from "../tasks.ts";

const OTHER_MEMORY_BYTES = 2 ** 31;
const OPENINGS = 3;

// opening Glovebox itself → rounds of: from the pool, past the pool, each peer
export const start: Group = async (bench) => {
  const { plan, glovebox, peers } = bench;
  const pastPool = bench.gloveboxWith({ memoryBytes: OTHER_MEMORY_BYTES });
  const opening = await interleave([{ name: "glovebox", sample: async () => [await bench.openAnother()] }], {
    rounds: Math.min(OPENINGS, plan.starts),
    limitMs: plan.limitMs,
    settleMs: plan.settleMs,
    onTurn: (words) => bench.progress(`opening ${words}`),
  });
  const measured = await compare(bench, plan.starts, [
    { name: "from the pool", sample: async () => [await glovebox.firstAnswer(pandasResult)] },
    { name: "past the pool", sample: async () => [await pastPool.firstAnswer(pandasResult)] },
    ...peers.map(({ name, firstAnswer }) => ({
      name,
      sample: async () => [await firstAnswer(pandasResult)],
    })),
  ]);
  const { "from the pool": pooled, "past the pool": past, ...others } = measured;
  const row = (name: string, how: string, ours: Measured | undefined): Row => ({
    name,
    what: `session start → first pandas result, ${how}`,
    unit: "ms",
    values: { ...(ours ? { glovebox: ours } : {}), ...others },
  });
  return [
    row("start-from-pool", "from the pool", pooled),
    row("start-past-pool", "past the pool (other limits)", past),
    { name: "open", what: "opening Glovebox itself, once a program", unit: "ms", values: opening },
  ];
};
