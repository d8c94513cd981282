import { type Bench, compare, type Group, type Seated, seated } from "../bench.ts";
import type { Row } from "../row.ts";
import { keptArray, makeArray } from "../tasks.ts";
import { trivialRows } from "./cells.ts";

const MEMORY_BYTES = 2 ** 32;

/** What keeping a frozen copy costs a session that holds much, and what the copy is worth when it dies. */
export const state: Group = (bench) => {
  const { stateNumbers } = bench.plan;
  const others = bench.peers.filter(({ keepsState }) => keepsState);
  const held = size(stateNumbers);
  return seated(
    [bench.gloveboxWith({ memoryBytes: MEMORY_BYTES }), ...others],
    () => makeArray(stateNumbers),
    async (seats) => [
      ...(await trivialRows(bench, seats, { prefix: "state-cell", what: `trivial cell with ${held} held` })),
      await deathRow(bench, seats, held),
    ],
  );
};

async function deathRow(bench: Bench, seats: readonly Seated[], held: string): Promise<Row> {
  const { stateNumbers, repeats } = bench.plan;
  const next = { kept: keptArray(stateNumbers), madeAgain: makeArray(stateNumbers) };
  const entries = seats.map(({ name, seat }) => ({
    name,
    sample: async () => [await seat.die(next)],
    note: name === "glovebox" ? "state kept" : "made again",
  }));
  const values = await compare(bench, repeats, entries);
  return {
    name: "state-death",
    what: `death with ${held} held → all of it back, checked`,
    unit: "ms",
    values,
  };
}

function size(numbers: number): string {
  const mebibytes = (numbers * 8) / 2 ** 20;
  return mebibytes >= 1024 ? `${mebibytes / 1024} GiB` : `${mebibytes} MiB`;
}
