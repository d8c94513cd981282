import { compare, type Group, seated } from "../bench.ts";
import { makeLargeFrame, returnLargeFrame } from "../tasks.ts";

/** Sessions make the frame before the clock starts; a cold process has to make it each time. */
export const frame: Group = (bench) => {
  const { frameRows, repeats } = bench.plan;
  return seated(
    [bench.glovebox, ...bench.peers],
    ({ keepsState }) => (keepsState ? makeLargeFrame(frameRows) : undefined),
    async (seats) => {
      const entries = seats.map(({ name, seat, contender }) => ({
        name,
        sample: () => seat.run(returnLargeFrame(frameRows)),
        note: contender.keepsState ? undefined : "made anew",
      }));
      const values = await compare(bench, repeats, entries);
      const what = `cell that returns a frame of ${frameRows / 1e6} million rows`;
      return [{ name: "large-frame", what, unit: "ms", values }];
    },
  );
};
