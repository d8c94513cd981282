import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent, pValue } from "../numbers.ts";
import type { Cell, Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { type Analysis, answering, type Plan } from "./analysis.ts";
import * as say from "./phrasing.ts";

const Side = z.object({
  rows: z.number(),
  mean: z.number().nullable(),
  median: z.number().nullable(),
  std: z.number().nullable(),
  sum: z.number().nullable(),
});
const Facts = z.object({
  a: Side,
  b: Side,
  welch_p: z.number().nullable(),
  mannwhitney_p: z.number().nullable(),
  cohen_d: z.number().nullable(),
});

/** Two groups side by side, with the size of the difference and a test. */
export const compare: Analysis = {
  name: "compare",
  example(of) {
    const metric = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    const group = of.columns.find(({ kind, values }) => kind === "category" && values.length > 1);
    return metric && group
      ? `Compare ${group.values[0]} and ${group.values[1]} on ${metric.name}`
      : undefined;
  },
  fits: (frame) => (pairOf(frame) ? (frame.cues.has("compare") ? 88 : 0) : 0),
  plan(frame) {
    const pair = pairOf(frame);
    const metric =
      frame.metric ?? mainMeasure(frame.table) ?? frame.table.columns.find(({ kind }) => kind === "number");
    if (!pair) return { refused: "Name two groups, and I compare them." };
    if (!metric || (metric.kind !== "number" && metric.kind !== "boolean"))
      return { refused: "There is no column of numbers to compare the two by; name one." };
    return sideBySide(frame, metric, pair);
  },
};

/** The two values named, or both values of the one two-valued column that was. */
function pairOf({ pair, groups, metric, cues }: Frame): Frame["pair"] {
  if (pair) return pair;
  const [only, more] = groups.filter((column) => column !== metric);
  if (!only || more || !cues.has("compare") || only.values.length !== 2 || !only.complete) return undefined;
  const [a, b] = [...only.values].sort((x, y) => (String(x) < String(y) ? 1 : -1));
  return a === undefined || b === undefined ? undefined : { column: only, a, b };
}

function sideBySide(frame: Frame, metric: Column, pair: { column: Column; a: Cell; b: Cell }): Plan {
  const { filters } = frame;
  const { column, a, b } = pair;
  const title = say.titled(`${metric.name}: ${a} and ${b} of ${column.name}`, filters);
  const file = `${slug(metric.name, String(a), "vs", String(b), ...say.filterSlugs(filters))}.png`;
  return {
    intent: `Compare ${metric.name} between two groups of ${column.name}`.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\nfrom scipy import stats\n`,
      prepare({ table: frame.table, columns: [column, metric], filters, measured: [metric] }),
      `data = data.dropna(subset=[${py(metric.key)}])`,
      `a = ${inData(metric)}[${inData(column)} == ${py(a)}].astype(float)`,
      `b = ${inData(metric)}[${inData(column)} == ${py(b)}].astype(float)\n`,
      `welch = mannwhitney = cohen_d = None`,
      `if len(a) > 1 and len(b) > 1 and pd.concat([a, b]).nunique() > 1:`,
      `    welch = float(stats.ttest_ind(a, b, equal_var=False).pvalue)  # Welch: the spreads may differ`,
      `    mannwhitney = float(stats.mannwhitneyu(a, b).pvalue)`,
      `    pooled = (((len(a) - 1) * a.var() + (len(b) - 1) * b.var()) / (len(a) + len(b) - 2)) ** 0.5`,
      `    cohen_d = float((a.mean() - b.mean()) / pooled) if pooled else None\n`,
      chartCode({
        file,
        title,
        y: metric.name,
        width: 6,
        draw: `ax.boxplot([a, b], showmeans=True, widths=0.5)\nax.set_xticks([1, 2], ${tickNames(py([String(a), String(b)]))})`,
      }),
      `\ndef side(values):\n    return {"rows": len(values), "mean": float(values.mean()), "median": float(values.median()), "std": float(values.std()), "sum": float(values.sum())}\n\n`,
      `{"a": side(a), "b": side(b), "welch_p": welch, "mannwhitney_p": mannwhitney, "cohen_d": cohen_d}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const [na, nb] = [say.valueWords(column, String(a)), say.valueWords(column, String(b))];
      const name = code(metric.name);
      const [ma, mb] = [facts.a.mean, facts.b.mean];
      if (ma === null || mb === null)
        return `There are no values of ${name} for ${ma === null ? na : nb}${say.filterWords(filters)}, so I cannot compare the two.`;
      const sure = facts.welch_p !== null && facts.welch_p < 0.05;
      const d = facts.cohen_d === null ? undefined : Math.abs(facts.cohen_d);
      const size =
        d === undefined ? "" : d >= 0.8 ? "large" : d >= 0.5 ? "medium" : d >= 0.2 ? "small" : "negligible";
      const higher = ma >= mb ? na : nb;
      return paragraphs(
        `In ${code(column.name)}, **${higher}** has the higher mean ${name}${say.filterWords(filters)}: ${num(ma)} for ${na} against ${num(mb)} for ${nb}, a difference of **${num(Math.abs(ma - mb))}**${Math.min(Math.abs(ma), Math.abs(mb)) > 0 ? ` (${percent(Math.abs(ma - mb) / Math.min(Math.abs(ma), Math.abs(mb)), 1)})` : ""}.`,
        facts.welch_p === null
          ? `There are too few values to test the difference.`
          : `${sure ? "Chance alone would hardly make such a difference" : "Chance could make such a difference"} (Welch's t-test ${pValue(facts.welch_p)}, Mann-Whitney ${pValue(facts.mannwhitney_p)}). The effect is ${size} (Cohen's d ${num(facts.cohen_d, 2)}).`,
        table(
          [
            { title: code(column.name) },
            { title: `mean ${name}`, numeric: true },
            { title: "median", numeric: true },
            { title: "total", numeric: true },
            { title: "rows", numeric: true },
          ],
          (
            [
              [na, facts.a],
              [nb, facts.b],
            ] as const
          ).map(([side, { mean, median, sum, rows }]) => [
            side,
            num(mean),
            num(median),
            num(sum),
            count(rows),
          ]),
        ),
        chart(title, file),
        say.smallPrint(
          `The two may differ in other ways too; a difference is no proof of a cause.`,
          Math.min(facts.a.rows, facts.b.rows) < 10 &&
            `One side has only ${counted(Math.min(facts.a.rows, facts.b.rows), "row")}.`,
          !frame.metricNamed && `You named no column to compare by, so I used ${name}.`,
          ...say.readingNotes([metric]),
        ),
      );
    }),
  };
}
