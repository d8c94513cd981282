import { compare, type Group, seated } from "../bench.ts";
import { printMegabyte, trivial } from "../tasks.ts";

export const printing: Group = (bench) =>
  seated(
    [bench.glovebox, ...bench.peers],
    () => trivial,
    async (seats) => {
      const entries = seats.map(({ name, seat }) => ({ name, sample: () => seat.run(printMegabyte) }));
      const values = await compare(bench, bench.plan.repeats, entries);
      return [{ name: "print-1mb", what: "cell printing 1 MB in 12,500 lines", unit: "ms", values }];
    },
  );
