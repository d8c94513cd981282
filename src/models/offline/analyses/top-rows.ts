import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { prepare } from "../code/prepare.ts";
import { code, paragraphs, table } from "../markdown.ts";
import { counted, num } from "../numbers.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { type Analysis, answering } from "./analysis.ts";
import * as say from "./phrasing.ts";

const ROWS = 10;
const MOST_COLUMNS = 7;

const Facts = z.object({
  rows: z.number(),
  columns: z.array(z.string()),
  table: z.array(z.array(z.string())),
});

/** The rows with the highest or lowest values of a column. */
export const topRows: Analysis = {
  name: "top-rows",
  example(of) {
    const metric = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    return metric ? `Show the 5 rows with the highest ${metric.name}` : undefined;
  },
  fits({ order, top, groups, metric, cues, grain }) {
    if (!order || grain) return 0;
    if (metric && cues.has("rows") && groups.length === 0) return 66;
    return metric && top !== undefined && groups.every(({ kind }) => kind === "id") ? 60 : 0;
  },
  plan(frame) {
    const metric = frame.metric ?? mainMeasure(frame.table);
    if (!metric) return { refused: "Name the column of numbers to rank the rows by." };
    const { filters } = frame;
    const others = frame.table.columns.filter(
      (column) => column !== metric && column.kind !== "empty" && column.kind !== "constant",
    );
    const columns = [...others.slice(0, MOST_COLUMNS - 1), metric];
    const n = Math.min(frame.top ?? ROWS, 20);
    const lowest = frame.order === "lowest";
    return {
      intent: `Find the rows with the ${lowest ? "lowest" : "highest"} ${metric.name}`.slice(0, 120),
      code: [
        `import pandas as pd\n`,
        prepare({ table: frame.table, columns, filters, measured: [metric] }),
        `data = data[${py(columns.map(({ key }) => key))}].dropna(subset=[${py(metric.key)}])`,
        `rows = data.sort_values(${py(metric.key)}, ascending=${lowest ? "True" : "False"}, kind="stable").head(${n})\n`,
        `{`,
        `    "rows": len(data),`,
        `    "columns": [str(name)[:60] for name in rows.columns],`,
        `    "table": [[str(value)[:40] for value in row] for row in rows.itertuples(index=False)],`,
        `}`,
      ].join("\n"),
      answer: answering(Facts, (facts) => {
        const [first] = facts.table;
        if (!first) return `No row has a value of ${code(metric.name)}${say.filterWords(filters)}.`;
        const amount = (row: readonly string[]) => num(Number(row.at(-1)));
        return paragraphs(
          `The ${lowest ? "lowest" : "highest"} ${code(metric.name)}${say.filterWords(filters)} is **${amount(first)}**. The ${counted(facts.table.length, "row")} with the ${lowest ? "lowest" : "highest"} values, of ${counted(facts.rows, "row")}:`,
          table(
            facts.columns.map((name) => ({ title: code(name) })),
            facts.table.map((row) => [...row.slice(0, -1).map(say.cellWords), amount(row)]),
          ),
          say.smallPrint(
            others.length > MOST_COLUMNS - 1 && `The first ${MOST_COLUMNS - 1} other columns are shown.`,
            !frame.metricNamed && `You named no column to rank by, so I used ${code(metric.name)}.`,
            ...say.readingNotes([metric]),
          ),
        );
      }),
    };
  },
};
