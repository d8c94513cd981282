import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { prepare } from "../code/prepare.ts";
import { code, paragraphs, table } from "../markdown.ts";
import { counted } from "../numbers.ts";
import { type Analysis, answering } from "./analysis.ts";
import * as say from "./phrasing.ts";

const ROWS = 5;
const MOST_ROWS = 20;
const MOST_COLUMNS = 8;

const Facts = z.object({
  rows: z.number(),
  columns: z.array(z.string()),
  table: z.array(z.array(z.string())),
});

/** The first rows, as the file has them. */
export const head: Analysis = {
  name: "head",
  example: () => undefined,
  fits: ({ cues, order }) => (cues.has("head") && !order ? 95 : 0),
  plan({ table: of, top, filters, aggregate, said, grain, groups, cues }) {
    const reckons = said.size > 0 || (aggregate !== undefined && aggregate !== "count");
    if (reckons || grain || (groups.length > 0 && cues.has("group")))
      return {
        refused: "I did not understand that: I can show the first rows, but not reckon with them alone.",
      };
    const columns = of.columns.slice(0, MOST_COLUMNS);
    const wanted = Math.min(top ?? ROWS, MOST_ROWS);
    return {
      intent: `Show the first rows of ${of.handle}`.slice(0, 120),
      code: [
        `import pandas as pd\n`,
        prepare({ table: of, columns, filters }),
        `rows = data[${py(columns.map(({ key }) => key))}].head(${wanted})\n`,
        `{`,
        `    "rows": len(data),`,
        `    "columns": [str(name)[:60] for name in rows.columns],`,
        `    "table": [[str(value)[:40] for value in row] for row in rows.itertuples(index=False)],`,
        `}`,
      ].join("\n"),
      answer: answering(Facts, (facts) =>
        paragraphs(
          `The first ${counted(facts.table.length, "row")} of ${counted(facts.rows, "row")}${say.filterWords(filters)}:`,
          table(
            facts.columns.map((name) => ({ title: code(name) })),
            facts.table.map((row) => row.map(say.cellWords)),
          ),
          say.smallPrint(
            (top ?? 0) > MOST_ROWS && `I show no more than ${MOST_ROWS} rows.`,
            of.columnCount > columns.length && `The first ${columns.length} columns are shown.`,
          ),
        ),
      ),
    };
  },
};
