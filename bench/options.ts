import { parseArgs } from "node:util";
import { groups } from "./groups/all.ts";

export interface BenchOptions {
  readonly json: boolean;
  readonly quick: boolean;
  readonly only: readonly string[];
  readonly help: boolean;
}

export const usage = `npm run bench -- [--quick] [--json] [--only NAME]…

  --quick      smaller and fewer, to see that it works; its numbers mean little
  --json       one JSON object on standard output instead of the table
  --only NAME  one group of: ${Object.keys(groups).join(", ")}
`;

export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const unknown = values.only.filter((name) => !(name in groups));
  if (unknown.length > 0) throw new Error(`There is no group "${unknown[0]}".\n\n${usage}`);
  return values;
}
