import { z } from "zod";
import { prepare } from "../code/prepare.ts";
import { code, listed, paragraphs, plain, table } from "../markdown.ts";
import { count, counted, percent } from "../numbers.ts";
import { type Analysis, answering } from "./analysis.ts";

const Facts = z.object({
  rows: z.number(),
  copies: z.number(),
  table: z.array(z.tuple([z.array(z.string()), z.number()])),
});
const SHOWN_COLUMNS = 6;

/** Rows that occur more than once, whole or in the columns named. */
export const duplicates: Analysis = {
  name: "duplicates",
  example: () => "Are there duplicate rows?",
  fits: ({ cues }) => (cues.has("duplicates") ? 88 : 0),
  plan(frame) {
    const named = [...new Set([...(frame.metric ? [frame.metric] : []), ...frame.others, ...frame.groups])];
    const columns = named.length > 0 ? named : frame.table.columns;
    return {
      intent: "Look for rows that occur more than once",
      code: [
        `import pandas as pd\n`,
        named.length > 0
          ? prepare({ table: frame.table, columns: named })
          : `data = ${frame.table.df}.copy()`,
        `try:`,
        `    copies = data.duplicated()`,
        `except TypeError:  # cells that hold lists`,
        `    data = data.astype(str)`,
        `    copies = data.duplicated()`,
        `repeated = data[data.duplicated(keep=False)]`,
        `examples = repeated.groupby(list(repeated.columns), sort=False, dropna=False).size().sort_values(ascending=False).head(5) if len(repeated) and repeated.columns.is_unique else pd.Series(dtype=int)\n`,
        `{`,
        `    "rows": len(data),`,
        `    "copies": int(copies.sum()),`,
        `    "table": [[[str(part)[:40] for part in (name if isinstance(name, tuple) else (name,))[:${SHOWN_COLUMNS}]], int(n)] for name, n in examples.items()],`,
        `}`,
      ].join("\n"),
      answer: answering(Facts, (facts) => {
        const about = named.length > 0 ? ` in ${listed(named.map(({ name }) => code(name)))}` : "";
        if (facts.rows < 2)
          return `${code(frame.table.handle)} has ${counted(facts.rows, "row")}, so none can repeat another.`;
        if (facts.copies === 0)
          return `**No**: none of the ${counted(facts.rows, "row")} of ${code(frame.table.handle)} occurs twice${about}.`;
        const heads = columns.slice(0, SHOWN_COLUMNS);
        return paragraphs(
          `**Yes**: ${counted(facts.copies, "row")} of ${count(facts.rows)} (${percent(facts.copies / facts.rows)}) ${facts.copies === 1 ? "repeats an earlier one" : "repeat earlier ones"}${about}.`,
          facts.table.length > 0 &&
            table(
              [...heads.map(({ name }) => ({ title: code(name) })), { title: "times", numeric: true }],
              facts.table.map(([cells, n]) => [...heads.map((_, at) => plain(cells[at] ?? "")), count(n)]),
            ),
          `To keep one of each: \`data.drop_duplicates()\`.`,
        );
      }),
    };
  },
};
