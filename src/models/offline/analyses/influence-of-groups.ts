import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent, pValue } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { answering, type Plan } from "./analysis.ts";
import { keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const SHOWN = 12;

const Facts = z.object({
  rows: z.number(),
  dropped: z.number(),
  anova_p: z.number().nullable(),
  kruskal_p: z.number().nullable(),
  explained: z.number().nullable(),
  groups: z.number(),
  table: z.array(z.tuple([z.string(), z.number().nullable(), z.number().nullable(), z.number()])),
});

/** Means of a number by group, and whether they differ by more than chance. */
export function amongGroups(frame: Frame, group: Column, y: Column): Plan {
  const { filters } = frame;
  const title = say.titled(`${y.name} by ${group.name}`, filters);
  const file = `${slug(y.name, "by", group.name, ...say.filterSlugs(filters))}.png`;
  return {
    intent: `Compare ${y.name} between the groups of ${group.name}`.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\nfrom scipy import stats\n`,
      prepare({ table: frame.table, columns: [group, y], filters, measured: [y] }),
      `before = len(data)`,
      `data = data.dropna(subset=${keysOf([group, y])})`,
      `${inData(y)} = ${inData(y)}.astype(float)`,
      `result = data.groupby(${py(group.key)}, observed=True)[${py(y.key)}].agg(["mean", "median", "count"]).sort_values("mean", ascending=False)\n`,
      `# Do the groups differ by more than chance? By means (ANOVA) and by ranks (Kruskal-Wallis)`,
      `parts = [part for _, part in data.groupby(${py(group.key)}, observed=True)[${py(y.key)}] if len(part) > 1]`,
      `anova = kruskal = explained = None`,
      `if len(parts) > 1 and ${inData(y)}.nunique() > 1:`,
      `    anova = float(stats.f_oneway(*parts).pvalue)`,
      `    kruskal = float(stats.kruskal(*parts).pvalue)`,
      `    within = sum(((part - part.mean()) ** 2).sum() for part in parts)`,
      `    explained = float(1 - within / ((${inData(y)} - ${inData(y)}.mean()) ** 2).sum())\n`,
      `top = result.head(${SHOWN})`,
      `boxes = [${inData(y)}[${inData(group)} == name] for name in top.index]`,
      chartCode({
        file,
        title,
        x: group.name,
        y: y.name,
        draw: [
          `ax.boxplot(boxes, showmeans=True, showfliers=False, widths=0.6)`,
          `ax.set_xticks(range(1, len(boxes) + 1), ${tickNames("top.index")}, rotation=30 if len(boxes) > 4 else 0)`,
        ].join("\n"),
      }),
      `\n{`,
      `    "rows": len(data),`,
      `    "dropped": before - len(data),`,
      `    "anova_p": anova,`,
      `    "kruskal_p": kruskal,`,
      `    "explained": explained,`,
      `    "groups": len(result),`,
      `    "table": [[str(name)[:60], float(row["mean"]), float(row["median"]), int(row["count"])] for name, row in result.head(${SHOWN}).iterrows()],`,
      `}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const [xs, ys] = [code(group.name), code(y.name)];
      const [first, last] = [facts.table[0], facts.table.at(-1)];
      if (!first || !last || facts.groups < 2)
        return `There are fewer than two groups of ${xs} with values of ${ys}${say.filterWords(filters)}, so there is nothing to compare.`;
      const differs = facts.anova_p !== null && facts.anova_p < 0.05;
      const lead = differs
        ? `${ys} **differs** between the groups of ${xs}${say.filterWords(filters)}: the mean is highest for **${say.valueWords(group, first[0])}** (${num(first[1])}) and lowest for **${say.valueWords(group, last[0])}** (${num(last[1])}). ANOVA says ${pValue(facts.anova_p)}, Kruskal-Wallis ${pValue(facts.kruskal_p)}; ${xs} accounts for ${percent(facts.explained)} of the variation.`
        : `The groups of ${xs} show **no reliable difference** in ${ys}${say.filterWords(filters)}: the means run from ${num(last[1])} (${say.valueWords(group, last[0])}) to ${num(first[1])} (${say.valueWords(group, first[0])}), which chance could explain (ANOVA ${pValue(facts.anova_p)}, Kruskal-Wallis ${pValue(facts.kruskal_p)}).`;
      const few = facts.table.filter((row) => row[3] < 5).length;
      return paragraphs(
        lead,
        table(
          [
            { title: xs },
            { title: "mean", numeric: true },
            { title: "median", numeric: true },
            { title: "rows", numeric: true },
          ],
          facts.table.map(([name, mean, median, rows]) => [
            say.valueWords(group, name),
            num(mean),
            num(median),
            count(rows),
          ]),
        ),
        chart(title, file),
        say.smallPrint(
          `A difference between groups is no proof of a cause: the groups may differ in other ways too.`,
          differs && (facts.explained ?? 1) < 0.02 && `It is real but small.`,
          facts.groups > facts.table.length &&
            `${count(facts.table.length)} of ${counted(facts.groups, "group")} are shown.`,
          few > 0 && `${counted(few, "group has", "groups have")} fewer than 5 rows.`,
          say.droppedNote(facts.dropped, "missing values"),
          ...say.readingNotes([y]),
        ),
      );
    }),
  };
}
