import { compare, type Group, seated } from "../bench.ts";
import { keepFrame, keptFrame } from "../tasks.ts";

/** Ours dies in a cell (os._exit) and answers from what it kept; ipykernel is killed, restarted, and imports again. */
export const death: Group = (bench) =>
  seated(
    [bench.glovebox, ...bench.peers].filter(({ keepsState }) => keepsState),
    () => keepFrame,
    async (seats) => {
      const entries = seats.map(({ name, seat }) => ({
        name,
        sample: async () => [await seat.die({ kept: keptFrame, madeAgain: keepFrame })],
        note: name === "glovebox" ? "state kept" : "state lost",
      }));
      const values = await compare(bench, bench.plan.repeats, entries);
      return [{ name: "death", what: "death of the Python → next pandas answer", unit: "ms", values }];
    },
  );
