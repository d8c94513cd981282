import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { type Analysis, answering, type Plan } from "./analysis.ts";
import * as say from "./phrasing.ts";

const SHOWN = 12;

/** How the values of one column are spread. */
export const distribution: Analysis = {
  name: "distribution",
  example(of) {
    const column =
      of.columns.find(({ kind }) => kind === "number") ?? of.columns.find(({ kind }) => kind === "category");
    return column ? `Show the distribution of ${column.name}` : undefined;
  },
  fits({ cues, metric, groups, aggregate, others }) {
    const column = metric ?? groups[0];
    if (!column) return 0;
    if (cues.has("distribution")) return groups.length > 0 && metric ? 40 : 72;
    if (cues.has("describe") && others.length === 0 && (!metric || groups.length === 0)) return 64;
    if (
      cues.has("chart") &&
      !aggregate &&
      others.length === 0 &&
      (metric === undefined || groups.length === 0)
    )
      return 46;
    return !aggregate && others.length === 0 && (metric === undefined) !== (groups.length === 0) ? 30 : 0;
  },
  plan(frame) {
    const column = frame.metric ?? frame.groups[0];
    if (!column) return { refused: "Name the column whose distribution you want to see." };
    return column.kind === "number" ? ofNumbers(frame, column) : ofValues(frame, column);
  },
};

const NumberFacts = z.object({
  rows: z.number(),
  missing: z.number(),
  mean: z.number().nullable(),
  std: z.number().nullable(),
  skew: z.number().nullable(),
  quantiles: z.array(z.number()),
  zeros: z.number(),
});

function ofNumbers(frame: Frame, column: Column): Plan {
  const { filters } = frame;
  const title = say.titled(`Distribution of ${column.name}`, filters);
  const file = `${slug(column.name, "distribution", ...say.filterSlugs(filters))}.png`;
  return {
    intent: title.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
      prepare({ table: frame.table, columns: [column], filters }),
      `values = ${inData(column)}.dropna().astype(float)\n`,
      chartCode({
        file,
        title,
        x: column.name,
        y: "rows",
        draw: [
          `ax.hist(values, bins=min(40, max(5, values.nunique())), color="#3b76af", edgecolor="white")`,
          `if len(values):`,
          `    ax.axvline(values.mean(), color="#c44e52", linestyle="--", label=f"mean {values.mean():.4g}")`,
          `    ax.axvline(values.median(), color="#222222", linestyle=":", label=f"median {values.median():.4g}")`,
          `    ax.legend(frameon=False)`,
        ].join("\n"),
      }),
      `\n{`,
      `    "rows": len(values),`,
      `    "missing": len(data) - len(values),`,
      `    "mean": float(values.mean()),`,
      `    "std": float(values.std()),`,
      `    "skew": float(values.skew()),`,
      `    "quantiles": [float(q) for q in values.quantile([0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])] if len(values) else [],`,
      `    "zeros": int((values == 0).sum()),`,
      `}`,
    ].join("\n"),
    answer: answering(NumberFacts, (facts) => {
      const name = code(column.name);
      const [min, p5, q1, median, q3, p95, max] = facts.quantiles;
      if (max === undefined) return `${name} holds no values${say.filterWords(filters)}.`;
      const skew = facts.skew ?? 0;
      const shape =
        Math.abs(skew) < 0.5
          ? "fairly symmetric"
          : skew > 0
            ? "skewed to the right (a tail of high values)"
            : "skewed to the left (a tail of low values)";
      return paragraphs(
        `${name} runs from ${num(min)} to ${num(max)}${say.filterWords(filters)}; half of the ${counted(facts.rows, "value")} lie between ${num(q1)} and ${num(q3)}. The median is **${num(median)}**, the mean **${num(facts.mean)}** (standard deviation ${num(facts.std)}). The shape is ${shape}.`,
        table(
          ["minimum", "5 %", "25 %", "median", "75 %", "95 %", "maximum"].map((heading) => ({
            title: heading,
            numeric: true,
          })),
          [[min, p5, q1, median, q3, p95, max].map((quantile) => num(quantile))],
        ),
        chart(title, file),
        say.smallPrint(
          facts.missing > 0 && `${counted(facts.missing, "missing value")} left out.`,
          facts.zeros > facts.rows * 0.2 && `${percent(facts.zeros / facts.rows, 0)} of the values are zero.`,
          ...say.readingNotes([column]),
        ),
      );
    }),
  };
}

const ValueFacts = z.object({
  rows: z.number(),
  missing: z.number(),
  distinct: z.number(),
  table: z.array(z.tuple([z.string(), z.number()])),
});

function ofValues(frame: Frame, column: Column): Plan {
  const { filters } = frame;
  const title = say.titled(`Rows by ${column.name}`, filters);
  const file = `${slug("rows by", column.name, ...say.filterSlugs(filters))}.png`;
  const values =
    column.kind === "date" ? `${inData(column)}.dropna().dt.to_period("M")` : `${inData(column)}.dropna()`;
  return {
    intent: `Count the values of ${column.name}`.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
      prepare({ table: frame.table, columns: [column], filters }),
      `values = ${values}`,
      `counts = values.value_counts()`,
      `bars = counts.head(${SHOWN})[::-1]`,
      chartCode({
        file,
        title,
        x: "rows",
        y: column.name,
        draw: `ax.barh(${tickNames("bars.index")}, bars.to_numpy(), color="#3b76af")`,
        height: "max(2.5, 0.4 * len(bars) + 1.2)",
      }),
      `\n{`,
      `    "rows": len(values),`,
      `    "missing": len(data) - len(values),`,
      `    "distinct": len(counts),`,
      `    "table": [[str(name)[:60], int(rows)] for name, rows in counts.head(${py(SHOWN)}).items()],`,
      `}`,
    ].join("\n"),
    answer: answering(ValueFacts, (facts) => {
      const name = code(column.name);
      const [first] = facts.table;
      if (!first) return `${name} holds no values${say.filterWords(filters)}.`;
      return paragraphs(
        `${name} has ${counted(facts.distinct, "distinct value")}${column.kind === "date" ? " by month" : ""} in ${counted(facts.rows, "row")}${say.filterWords(filters)}. The commonest is **${say.valueWords(column, first[0])}** with ${counted(first[1], "row")} (${percent(first[1] / facts.rows)}).`,
        table(
          [{ title: name }, { title: "rows", numeric: true }, { title: "share", numeric: true }],
          facts.table.map(([value, rows]) => [
            say.valueWords(column, value),
            count(rows),
            percent(rows / facts.rows),
          ]),
        ),
        chart(title, file),
        say.smallPrint(
          facts.distinct > facts.table.length && `The ${count(facts.table.length)} commonest are shown.`,
          facts.missing > 0 && `${counted(facts.missing, "missing value")} left out.`,
        ),
      );
    }),
  };
}
