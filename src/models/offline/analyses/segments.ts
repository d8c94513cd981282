import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, plain, table } from "../markdown.ts";
import { count, counted, num, percent } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { type Analysis, answering, type Plan } from "./analysis.ts";
import { EDGE_FUNCTION, isBinned, keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const MOST_COLUMNS = 20;
const MOST_GROUPS = 40;
const SHOWN = 8;

const Segment = z.tuple([z.string(), z.string(), z.number(), z.number()]);
const Facts = z.object({
  rows: z.number(),
  dropped: z.number(),
  least: z.number(),
  overall: z.number().nullable(),
  focus: z.array(Segment),
  extreme: z.array(Segment),
  opposite: z.array(Segment),
  together: z.array(z.tuple([z.string(), z.string(), z.string(), z.string(), z.number(), z.number()])),
});

/** Where a number is highest: every column's groups or ranges ranked, alone and two together. */
export const segments: Analysis = {
  name: "segments",
  example(of) {
    const metric = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    return metric && of.columns.length > 2 ? `Which groups have the highest ${metric.name}?` : undefined;
  },
  fits({ table: of, cues, metric, groups, order, filters, top }) {
    if (cues.has("risk")) return metric || groups.length > 0 ? 82 : 55;
    return order &&
      (metric || mainMeasure(of)) &&
      groups.length === 0 &&
      filters.length === 0 &&
      cues.has("anywhere") &&
      top === undefined
      ? 52
      : 0;
  },
  plan(frame) {
    const metric =
      frame.metric ?? mainMeasure(frame.table) ?? frame.table.columns.find(({ kind }) => kind === "number");
    if (!metric) return { refused: "There is no column of numbers by which groups could be ranked." };
    const makes = (column: Column) =>
      column !== metric &&
      (column.kind === "number" ||
        column.kind === "boolean" ||
        column.kind === "year" ||
        (column.kind === "category" && column.distinct <= MOST_GROUPS));
    const named = [...frame.groups, ...frame.others].filter(makes);
    const columns = [...new Set([...named, ...frame.table.columns.filter(makes)])].slice(0, MOST_COLUMNS);
    if (columns.length === 0)
      return { refused: `Besides ${code(metric.name)} there is no column that makes groups.` };
    return ranked(frame, metric, columns, named[0]);
  },
};

function ranked(frame: Frame, metric: Column, columns: readonly Column[], focus: Column | undefined): Plan {
  const { filters } = frame;
  const lowest = frame.order === "lowest";
  const title = say.titled(`Where ${metric.name} is ${lowest ? "lowest" : "highest"}`, filters);
  const file = `${slug(metric.name, lowest ? "lowest" : "highest", "segments", ...say.filterSlugs(filters))}.png`;
  const ranges = columns.filter(isBinned);
  return {
    intent: `Rank the groups of every column by their mean ${metric.name}`.slice(0, 120),
    code: [
      `from itertools import combinations\n`,
      `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
      prepare({ table: frame.table, columns: [metric, ...columns], filters, measured: [metric] }),
      `before = len(data)`,
      `data = data.dropna(subset=[${py(metric.key)}])`,
      `overall = ${inData(metric)}.mean()`,
      `least = max(10, len(data) // 50)  # smaller segments say little`,
      ...(ranges.length === 0
        ? []
        : [
            `\n# Columns of many numbers: four ranges with about as many rows each`,
            EDGE_FUNCTION,
            `for name in ${keysOf(ranges)}:`,
            `    cut = pd.qcut(data[name], 4, duplicates="drop")`,
            `    data[name] = cut.cat.rename_categories([f"{edge(max(b.left, data[name].min()))} – {edge(b.right)}" for b in cut.cat.categories])`,
          ]),
      `\n\ndef means_by(names):`,
      `    result = data.groupby(names, observed=True)[${py(metric.key)}].agg(["mean", "count"])`,
      `    return result[result["count"] >= least].sort_values("mean", ascending=${lowest ? "True" : "False"})\n\n`,
      `alone = []`,
      `for name in ${keysOf(columns)}:`,
      `    result = means_by([name])`,
      `    alone += [[name[:60], str(part if not isinstance(part, tuple) else part[0])[:60], float(row["mean"]), int(row["count"])] for part, row in result.iterrows()]`,
      `alone.sort(key=lambda segment: segment[2], reverse=${lowest ? "False" : "True"})\n`,
      `# The two columns whose groups differ most, taken together`,
      `spread = {}`,
      `for name in ${keysOf(columns)}:`,
      `    means = means_by([name])["mean"]`,
      `    spread[name] = float(means.max() - means.min()) if len(means) else 0.0`,
      `strongest = sorted(spread, key=spread.get, reverse=True)[:3]`,
      `together = []`,
      `for first, second in combinations(strongest, 2):`,
      `    together += [[first[:60], str(a)[:60], second[:60], str(b)[:60], float(row["mean"]), int(row["count"])] for (a, b), row in means_by([first, second]).head(3).iterrows()]`,
      `together.sort(key=lambda segment: segment[4], reverse=${lowest ? "False" : "True"})\n`,
      `bars = pd.Series([segment[2] for segment in alone[:${SHOWN}]], index=[f"{segment[0]}: {segment[1]}" for segment in alone[:${SHOWN}]], dtype=float)[::-1]`,
      chartCode({
        file,
        title,
        x: `mean ${metric.name}`,
        draw: [
          `ax.barh([str(name)[:50].replace("$", r"\\$") for name in bars.index], bars, color="#c44e52")`,
          `ax.axvline(overall, color="#222222", linestyle="--", linewidth=1, label="all rows")`,
          `ax.legend(frameon=False)`,
        ].join("\n"),
        height: "max(2.5, 0.4 * len(bars) + 1.4)",
      }),
      `\n{`,
      `    "rows": len(data),`,
      `    "dropped": before - len(data),`,
      `    "least": least,`,
      `    "overall": float(overall),`,
      `    "focus": [segment for segment in alone if segment[0] == ${focus ? py(focus.key.slice(0, 60)) : "None"}][:8],`,
      `    "extreme": alone[:${SHOWN}],`,
      `    "opposite": alone[-3:][::-1],`,
      `    "together": together[:3],`,
      `}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const name = code(metric.name);
      const [first] = facts.extreme;
      if (!first || facts.overall === null)
        return `There are too few rows with ${name}${say.filterWords(filters)} to rank groups by it.`;
      const words = (key: string, part: string) => {
        const column = columns.find((one) => one.key.slice(0, 60) === key);
        return column ? say.valueWords(column, part) : plain(part);
      };
      const word = lowest ? "lowest" : "highest";
      const overall = facts.overall;
      const versus = (mean: number) =>
        overall <= 0 || Math.abs(mean / overall - 1) > 5
          ? ""
          : ` (${mean >= overall ? "+" : "−"}${percent(Math.abs(mean / overall - 1), 0)})`;
      const segment = ([key, part, mean]: z.infer<typeof Segment>) =>
        `${code(key)} ${words(key, part)} with ${num(mean)}${versus(mean)}`;
      const [a, b] = [facts.focus[0], facts.focus.at(-1)];
      const onFocus =
        focus && a && b && a !== b
          ? `By ${code(focus.name)}, **${words(a[0], a[1])}** has the ${word} mean ${name}: ${num(a[2])} against ${num(b[2])} for ${words(b[0], b[1])}${
              Math.abs(a[2] - b[2]) < Math.abs(first[2] - overall) * 0.5
                ? "; that is a small difference beside those below"
                : ""
            }.`
          : undefined;
      const [best] = facts.together;
      const pair = best && (lowest ? best[4] < first[2] : best[4] > first[2]) ? best : undefined;
      return paragraphs(
        onFocus,
        `Over all columns, ${name} is ${word} where ${code(first[0])} is **${words(first[0], first[1])}**: ${num(first[2])} on average, against ${num(overall)} over all ${counted(facts.rows, "row")}${say.filterWords(filters)}${versus(first[2]) ? `,${versus(first[2]).replace(/[()]/g, "")}` : ""}.${
          pair
            ? ` Two together: where ${code(pair[0])} is ${words(pair[0], pair[1])} and ${code(pair[2])} is ${words(pair[2], pair[3])} it is ${num(pair[4])} (${counted(pair[5], "row")}).`
            : ""
        }`,
        table(
          [
            { title: "column" },
            { title: "group or range" },
            { title: `mean ${name}`, numeric: true },
            { title: "rows", numeric: true },
          ],
          [...new Set([...facts.focus, ...facts.extreme])]
            .sort((x, y) => (lowest ? x[2] - y[2] : y[2] - x[2]))
            .filter(isFirst)
            .map(([key, part, mean, rows]) => [code(key), words(key, part), num(mean), count(rows)]),
        ),
        facts.opposite.length > 0
          ? `At the other end: ${facts.opposite.map(segment).join("; ")}.`
          : undefined,
        chart(title, file),
        say.smallPrint(
          `A segment's mean tells where ${name} is ${word}, not why.`,
          ranges.length > 0 &&
            `Columns of many numbers were cut into four ranges with about as many rows each.`,
          `Segments of fewer than ${count(facts.least)} rows were left out.`,
          say.droppedNote(facts.dropped, `a missing ${name}`),
          !frame.metricNamed && `You named no column to rank by, so I used ${name}.`,
          ...say.readingNotes([metric]),
        ),
      );
    }),
  };
}

function isFirst(
  segment: z.infer<typeof Segment>,
  index: number,
  all: readonly z.infer<typeof Segment>[],
): boolean {
  return all.findIndex(([key, part]) => key === segment[0] && part === segment[1]) === index;
}
