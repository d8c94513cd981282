import { z } from "zod";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent } from "../numbers.ts";
import { measures } from "../table.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { type Analysis, answering } from "./analysis.ts";
import { keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const MOST_COLUMNS = 12;

const Facts = z.object({
  rows: z.number(),
  columns: z.array(
    z.tuple([
      z.string(),
      z.number(),
      z.number(),
      z.number().nullable(),
      z.number().nullable(),
      z.array(z.number()),
      z.array(z.number()),
    ]),
  ),
});

/** Values far outside the middle half, by the usual rule of 1.5 times its width. */
export const outliers: Analysis = {
  name: "outliers",
  example(of) {
    const metric = mainMeasure(of) ?? measures(of)[0];
    return metric ? `Are there outliers in ${metric.name}?` : undefined;
  },
  fits: ({ cues }) => (cues.has("outliers") ? 86 : 0),
  plan(frame) {
    const { table: of, filters } = frame;
    const named = [...(frame.metric ? [frame.metric] : []), ...frame.others].filter(
      ({ kind }) => kind === "number",
    );
    const columns = (named.length > 0 ? named : measures(of)).slice(0, MOST_COLUMNS);
    if (columns.length === 0)
      return { refused: "There is no column of numbers in which a value could lie far off." };
    const only = columns.length === 1 ? columns[0] : undefined;
    const title = say.titled(only ? `Outliers in ${only.name}` : `Outliers in ${of.handle}`, filters);
    const file = `${slug("outliers", only?.name ?? of.handle, ...say.filterSlugs(filters))}.png`;
    return {
      intent: `Look for values far outside the usual range`,
      code: [
        `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
        prepare({ table: of, columns, filters }),
        `found, scaled = [], {}`,
        `for name in ${keysOf(columns)}:`,
        `    values = data[name].dropna().astype(float)`,
        `    if values.empty:`,
        `        continue`,
        `    q1, q3 = values.quantile([0.25, 0.75])`,
        `    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)  # Tukey's rule`,
        `    below, above = values[values < low].sort_values(), values[values > high].sort_values(ascending=False)`,
        `    found.append([name[:60], len(values), len(below) + len(above), float(low), float(high),`,
        `                  [float(v) for v in below.head(3)], [float(v) for v in above.head(3)]])`,
        only
          ? `    scaled[name] = values`
          : `    scaled[name] = (values - values.median()) / ((q3 - q1) or values.std() or 1)`,
        `found.sort(key=lambda column: -column[2])\n`,
        chartCode({
          file,
          title,
          y: only ? only.name : "distance from the median, in widths of the middle half",
          draw: `if scaled:\n    ax.boxplot(list(scaled.values()), flierprops={"markersize": 3, "alpha": 0.4})\n    ax.set_xticks(range(1, len(scaled) + 1), ${tickNames("scaled")}, rotation=30 if len(scaled) > 4 else 0)`,
        }),
        `\n{"rows": len(data), "columns": found}`,
      ].join("\n"),
      answer: answering(Facts, (facts) => {
        const some = facts.columns.filter(([, , n]) => n > 0);
        const where = say.filterWords(filters);
        if (facts.columns.length === 0) return `There are no numbers to look at${where}.`;
        const extremes = (low: readonly number[], high: readonly number[]) =>
          [...low.map((value) => num(value)), ...high.map((value) => num(value))].join(", ");
        const [first] = some;
        return paragraphs(
          first
            ? `**Yes**${only ? "" : `: ${counted(some.length, "column has", "columns have")} values outside the usual range${where}`}. ${code(first[0])} has ${only ? "" : "the most: "}${counted(first[2], "value")} of ${count(first[1])} (${percent(first[2] / first[1])}) below ${num(first[3])} or above ${num(first[4])}.`
            : `**No**: no value lies outside the usual range${where} in ${counted(facts.columns.length, "column")} of numbers.`,
          table(
            [
              { title: "column" },
              { title: "outliers", numeric: true },
              { title: "share", numeric: true },
              { title: "usual range" },
              { title: "most extreme" },
            ],
            facts.columns.map(([name, rows, n, low, high, below, above]) => [
              code(name),
              count(n),
              percent(n / rows),
              `${num(low)} to ${num(high)}`,
              n > 0 ? extremes(below, above) : "–",
            ]),
          ),
          chart(title, file),
          say.smallPrint(
            `The usual range is the middle half of the values and 1.5 times its width to either side (Tukey's rule). An outlier is unusual, not wrong: look before you drop any.`,
            ...say.readingNotes(columns),
          ),
        );
      }),
    };
  },
};
