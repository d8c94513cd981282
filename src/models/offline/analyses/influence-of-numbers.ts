import { z } from "zod";
import { chartCode } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent, pValue, strength } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { answering, type Plan } from "./analysis.ts";
import { EDGE_FUNCTION, keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const POINTS = 3_000;
const BINS = 5;

const Facts = z.object({
  rows: z.number(),
  dropped: z.number(),
  pearson: z.number().nullable(),
  pearson_p: z.number().nullable(),
  spearman: z.number().nullable(),
  spearman_p: z.number().nullable(),
  slope: z.number().nullable(),
  bins: z.array(z.tuple([z.string(), z.number().nullable(), z.number()])),
});

/** Correlation, slope and binned means of two columns of numbers. */
export function amongNumbers(frame: Frame, x: Column, y: Column): Plan {
  const { filters } = frame;
  const title = say.titled(`${y.name} by ${x.name}`, filters);
  const file = `${slug(y.name, "vs", x.name, ...say.filterSlugs(filters))}.png`;
  const binned = x.distinct > BINS;
  return {
    intent: `Relate ${x.name} to ${y.name}: correlation, slope and means by range`.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport numpy as np\nimport pandas as pd\nfrom scipy import stats\n`,
      prepare({ table: frame.table, columns: [x, y], filters, measured: [x, y] }),
      `before = len(data)`,
      `data = data.dropna(subset=${keysOf([x, y])})`,
      `x, y = ${inData(x)}.astype(float), ${inData(y)}.astype(float)\n`,
      `pearson = spearman = (None, None)`,
      `slope = intercept = None`,
      `if len(data) > 2 and x.nunique() > 1 and y.nunique() > 1:`,
      `    pearson = [float(part) for part in stats.pearsonr(x, y)]`,
      `    spearman = [float(part) for part in stats.spearmanr(x, y)]`,
      `    slope, intercept = map(float, np.polyfit(x, y, 1))\n`,
      `# The mean of y in ranges of x that hold about as many rows each`,
      binned ? `ranges = pd.qcut(x, ${BINS}, duplicates="drop") if x.nunique() > 1 else x` : `ranges = x`,
      `means = y.groupby(ranges, observed=True).agg(["mean", "count"])\n`,
      `shown = data.sample(min(len(data), ${POINTS}), random_state=42)`,
      chartCode({
        file,
        title,
        x: x.name,
        y: y.name,
        draw: [
          `ax.scatter(x[shown.index], y[shown.index], s=10, alpha=0.3, color="#3b76af", label="rows")`,
          `if slope is not None:`,
          `    ends = np.array([x.min(), x.max()])`,
          `    ax.plot(ends, intercept + slope * ends, color="#c44e52", linewidth=2, label="linear fit")`,
          ...(binned
            ? [
                `    ax.plot(x.groupby(ranges, observed=True).mean(), means["mean"], "o-", color="#222222", label="mean of each range")`,
              ]
            : []),
          `ax.legend(frameon=False)`,
        ].join("\n"),
      }),
      `\n${EDGE_FUNCTION}\n\ndef name_of(part):\n    return f"{edge(max(part.left, x.min()))} – {edge(part.right)}" if hasattr(part, "left") else edge(part)\n\n`,
      `{`,
      `    "rows": len(data),`,
      `    "dropped": before - len(data),`,
      `    "pearson": pearson[0],`,
      `    "pearson_p": pearson[1],`,
      `    "spearman": spearman[0],`,
      `    "spearman_p": spearman[1],`,
      `    "slope": slope,`,
      `    "bins": [[name_of(part), float(row["mean"]), int(row["count"])] for part, row in means.head(12).iterrows()],`,
      `}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const [xs, ys] = [code(x.name), code(y.name)];
      if (facts.pearson === null) {
        return `With ${counted(facts.rows, "row")} that ${facts.rows === 1 ? "has" : "have"} both values${say.filterWords(filters)}, or only one value of a column, nothing can be said about how ${xs} and ${ys} go together.`;
      }
      const r = facts.pearson;
      const none = facts.pearson_p !== null && facts.pearson_p > 0.05;
      const lead = none
        ? `I find **no reliable relation** between ${xs} and ${ys}${say.filterWords(filters)}: the correlation is ${num(r, 3)} (${pValue(facts.pearson_p)}, ${counted(facts.rows, "row")}).`
        : `A higher ${xs} goes with a **${r < 0 ? "lower" : "higher"}** ${ys}${say.filterWords(filters)}: the correlation is **${num(r, 3)}** (Pearson, ${strength(r)}, ${pValue(facts.pearson_p)}, ${counted(facts.rows, "row")}). By rank it is ${num(facts.spearman, 3)} (Spearman, ${pValue(facts.spearman_p)}).`;
      const [first, last] = [facts.bins[0], facts.bins.at(-1)];
      const inWords = none
        ? undefined
        : `Each further unit of ${xs} comes with about ${num(Math.abs(facts.slope ?? 0))} ${(facts.slope ?? 0) < 0 ? "less" : "more"} of ${ys} on average; on a straight line ${xs} accounts for ${percent(r * r, 0)} of the variation.${
            first && last && first !== last
              ? ` From the lowest range of ${xs} to the highest the mean goes from ${num(first[1])} to ${num(last[1])}.`
              : ""
          }`;
      const bent = facts.spearman !== null && Math.abs(Math.abs(facts.spearman) - Math.abs(r)) > 0.1;
      return paragraphs(
        lead,
        inWords,
        table(
          [{ title: xs }, { title: `mean ${ys}`, numeric: true }, { title: "rows", numeric: true }],
          facts.bins.map(([range, mean, rows]) => [range.replace(/-/g, "−"), num(mean), count(rows)]),
        ),
        chart(title, file),
        say.smallPrint(
          `A correlation shows that the two go together, not that one causes the other: something else may move both.`,
          bent &&
            `The two coefficients differ, so the relation is bent or a few extreme values pull at it; look at the chart.`,
          frame.table.rows > POINTS &&
            `The chart shows a sample of ${count(POINTS)} points; the numbers use all rows.`,
          say.droppedNote(facts.dropped, "missing values"),
          facts.rows < 30 && `With so few rows this is a hint at most.`,
          frame.others.length + frame.groups.length > 1 &&
            `You named more columns; I looked at the first two. Ask for correlations to see all.`,
          ...say.readingNotes([x, y]),
        ),
      );
    }),
  };
}
