import { type Bench, compare, type Group, type Seated, seated } from "../bench.ts";
import type { Row } from "../row.ts";
import { pandasResult, trivial } from "../tasks.ts";

const APART_MS = 20;

/** One session of each; blocks of cells, so that "20 ms apart" and "back to back" are the same for all. */
export const cells: Group = (bench) =>
  seated(
    [bench.glovebox, ...bench.peers, ...bench.variants],
    () => pandasResult,
    (seats) => trivialRows(bench, seats, { prefix: "cell", what: "trivial cell (1+1)" }),
  );

/** What a trivial cell takes as a person or model meets it, and without a pause. */
export async function trivialRows(
  bench: Bench,
  seats: readonly Seated[],
  words: { prefix: string; what: string },
): Promise<Row[]> {
  const pace = async (pauseMs: number) =>
    compare(
      bench,
      bench.plan.cellBlocks,
      seats.map(({ name, seat }) => ({
        name,
        sample: () => seat.run(trivial, { count: bench.plan.cellsABlock, pauseMs }),
      })),
    );
  const { prefix, what } = words;
  return [
    {
      name: `${prefix}-apart`,
      what: `${what}, ${APART_MS} ms apart`,
      unit: "ms",
      values: await pace(APART_MS),
    },
    { name: `${prefix}-back-to-back`, what: `${what}, back to back`, unit: "ms", values: await pace(0) },
  ];
}
