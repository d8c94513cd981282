import { z } from "zod";
import { chartCode } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { prepare } from "../code/prepare.ts";
import { chart, code, listed, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent } from "../numbers.ts";
import { type Analysis, answering } from "./analysis.ts";
import * as say from "./phrasing.ts";

const SHOWN = 25;

const Facts = z.object({
  rows: z.number(),
  complete: z.number(),
  columns: z.number(),
  cells: z.number(),
  table: z.array(z.tuple([z.string(), z.number()])),
});

/** Which columns have gaps, and how many rows have none. */
export const missing: Analysis = {
  name: "missing",
  example: () => "Are there missing values?",
  fits: ({ cues }) => (cues.has("missing") ? 90 : 0),
  plan(frame) {
    const { table: of, filters } = frame;
    const named = [...new Set([...(frame.metric ? [frame.metric] : []), ...frame.others, ...frame.groups])];
    const title = `Missing values in ${of.handle}`;
    const file = `${slug("missing values", of.handle)}.png`;
    return {
      intent: "Count missing values in every column",
      code: [
        `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
        filters.length > 0 || named.length > 0
          ? prepare({ table: of, columns: named.length > 0 ? named : of.columns, filters })
          : `data = ${of.df}.copy()`,
        `gaps = data.isna()`,
        `for place, dtype in enumerate(data.dtypes):  # blank text counts too`,
        `    if pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype):`,
        `        gaps.isetitem(place, gaps.iloc[:, place] | (data.iloc[:, place].astype(str).str.strip() == ""))`,
        `counts = gaps.sum().sort_values(ascending=False)`,
        `counts = counts[counts > 0]\n`,
        `if len(counts):`,
        `    bars = counts.head(15)[::-1]`,
        indented(
          chartCode({
            file,
            title,
            x: "missing values",
            draw: `ax.barh([str(name)[:30].replace("$", r"\\$") for name in bars.index], bars.to_numpy(), color="#c44e52")`,
            height: "max(2.5, 0.4 * len(bars) + 1.2)",
          }),
        ),
        `\n{`,
        `    "rows": len(data),`,
        `    "complete": int((~gaps.any(axis=1)).sum()),`,
        `    "columns": int(data.shape[1]),`,
        `    "cells": int(counts.sum()),`,
        `    "table": [[str(name)[:60], int(n)] for name, n in counts.head(${SHOWN}).items()],`,
        `}`,
      ].join("\n"),
      answer: answering(Facts, (facts) => {
        const scope =
          named.length > 0
            ? listed(named.map(({ name }) => code(name)))
            : facts.columns === 1
              ? "the one column"
              : `any of the ${counted(facts.columns, "column")}`;
        if (facts.rows === 0) return `The table ${code(of.handle)} has no rows${say.filterWords(filters)}.`;
        if (facts.cells === 0)
          return `**No**: there are no missing values in ${scope} of ${code(of.handle)} (${counted(facts.rows, "row")}${say.filterWords(filters)}).`;
        const [first] = facts.table;
        return paragraphs(
          `**Yes**: ${counted(facts.cells, "value is", "values are")} missing in ${counted(facts.table.length, "column")}${facts.table.length === SHOWN ? " or more" : ""}; ${count(facts.complete)} of ${counted(facts.rows, "row")} (${percent(facts.complete / facts.rows)}) are complete${say.filterWords(filters)}.${
            first
              ? ` ${code(first[0])} misses the most: ${num(first[1])} (${percent(first[1] / facts.rows)}).`
              : ""
          }`,
          table(
            [{ title: "column" }, { title: "missing", numeric: true }, { title: "share", numeric: true }],
            facts.table.map(([name, n]) => [code(name), count(n), percent(n / facts.rows)]),
          ),
          chart(title, file),
        );
      }),
    };
  },
};

function indented(lines: string): string {
  return lines.replace(/^/gm, "    ");
}
