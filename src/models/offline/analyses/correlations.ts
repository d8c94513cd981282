import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, num, pValue, strength } from "../numbers.ts";
import { isMeasure } from "../table.ts";
import { type Analysis, answering } from "./analysis.ts";
import { keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const MOST_COLUMNS = 60;
const MOST_DRAWN = 20;
const SHOWN = 10;

const Facts = z.object({
  rows: z.number(),
  pairs: z.array(z.tuple([z.string(), z.string(), z.number(), z.number(), z.number()])),
});

/** Which columns of numbers go together, over the whole table or with one of them. */
export const correlations: Analysis = {
  name: "correlations",
  example: (of) =>
    of.columns.filter(({ kind }) => kind === "number").length > 2
      ? "Which columns are correlated?"
      : undefined,
  fits({ cues, metric, others, groups }) {
    if (!cues.has("correlation") && !(cues.has("influence") && !metric && groups.length === 0)) return 0;
    return metric && others.length + groups.length > 0 ? 70 : 81;
  },
  plan(frame) {
    const { filters, metric } = frame;
    const named = [...(metric ? [metric] : []), ...frame.others].filter(isMeasure);
    const all = frame.table.columns.filter(isMeasure);
    const columns = [...new Set([...named, ...all])].slice(0, MOST_COLUMNS);
    if (columns.length < 2)
      return { refused: "It takes at least two columns of numbers to correlate; this table has fewer." };
    const focus = metric && named.length === 1 ? metric : undefined;
    const title = say.titled(
      focus ? `Correlation with ${focus.name}` : `Correlations in ${frame.table.handle}`,
      filters,
    );
    const file = `${slug("correlations", focus?.name ?? frame.table.handle, ...say.filterSlugs(filters))}.png`;
    const draw = focus
      ? `bars = matrix[${py(focus.key)}].drop(${py(focus.key)}).dropna().sort_values(key=abs)\nax.barh(${tickNames("bars.index")}, bars, color=["#c44e52" if r < 0 else "#3b76af" for r in bars])\nax.axvline(0, color="#222222", linewidth=0.8)`
      : `image = ax.imshow(matrix, cmap="RdBu_r", vmin=-1, vmax=1)\nnames = ${tickNames("matrix.columns")}\nax.set_xticks(range(len(names)), names, rotation=45, ha="right")\nax.set_yticks(range(len(names)), names)\nif len(names) <= 12:\n    for i in range(len(names)):\n        for j in range(len(names)):\n            ax.text(j, i, f"{matrix.iloc[i, j]:.2f}", ha="center", va="center", fontsize=7, color="white" if abs(matrix.iloc[i, j]) > 0.6 else "black")\nfig.colorbar(image, ax=ax, label="Pearson r")`;
    return {
      intent: focus
        ? `Correlate every column of numbers with ${focus.name}`.slice(0, 120)
        : "Correlate all columns of numbers",
      code: [
        `from itertools import combinations\n`,
        `import matplotlib.pyplot as plt\nimport pandas as pd\nfrom scipy import stats\n`,
        prepare({ table: frame.table, columns, filters, measured: columns }),
        `data = data[${keysOf(columns)}].astype(float)`,
        `matrix = data.corr()`,
        `ranked = sorted(combinations(data.columns, 2), key=lambda pair: -abs(matrix.loc[pair]) if matrix.loc[pair] == matrix.loc[pair] else 0)`,
        ...(focus ? [`ranked = [pair for pair in ranked if ${py(focus.key)} in pair]`] : []),
        `pairs = []`,
        `for first, second in ranked[:${SHOWN}]:`,
        `    both = data[[first, second]].dropna()`,
        `    if len(both) > 2 and both[first].nunique() > 1 and both[second].nunique() > 1:`,
        `        r, p = stats.pearsonr(both[first], both[second])`,
        `        pairs.append([first[:60], second[:60], float(r), float(p), len(both)])\n`,
        ...(columns.length > MOST_DRAWN
          ? [
              `# Only the columns with the strongest correlations are drawn`,
              focus
                ? `drawn = [${py(focus.key)}, *(a if b == ${py(focus.key)} else b for a, b in ranked[:${MOST_DRAWN - 1}])]`
                : `drawn = list(dict.fromkeys(name for pair in ranked for name in pair))[:${MOST_DRAWN}]`,
              `matrix = matrix.loc[drawn, drawn]`,
            ]
          : []),
        chartCode({
          file,
          title,
          ...(focus ? { x: "Pearson r" } : {}),
          draw,
          height: focus ? "max(2.5, 0.4 * len(matrix) + 1)" : "6.5",
        }),
        `\n{"rows": len(data), "pairs": pairs[:${SHOWN}]}`,
      ].join("\n"),
      answer: answering(Facts, (facts) => {
        const [first] = facts.pairs;
        if (!first)
          return `No two columns have enough different values${say.filterWords(filters)} to be correlated.`;
        const reliable = facts.pairs.filter(([, , r, p]) => p < 0.05 && Math.abs(r) >= 0.2);
        const two = ([a, b, r]: typeof first) =>
          `${code(a)} and ${code(b)} (r = ${num(r, 3)}, ${strength(r)})`;
        return paragraphs(
          reliable.length === 0
            ? `No two of these columns are more than very weakly correlated${say.filterWords(filters)}; the strongest are ${two(first)}.`
            : `The strongest correlation${say.filterWords(filters)} is between **${code(first[0])}** and **${code(first[1])}**: r = **${num(first[2], 3)}** (${strength(first[2])}, ${first[2] < 0 ? "one rises while the other falls" : "they rise together"}, ${pValue(first[3])}).`,
          table(
            [
              { title: "column" },
              { title: "column" },
              { title: "Pearson r", numeric: true },
              { title: "p" },
              { title: "rows", numeric: true },
            ],
            facts.pairs.map(([a, b, r, p, rows]) => [
              code(a),
              code(b),
              num(r, 3),
              pValue(p).replace("p = ", "").replace("p ", ""),
              count(rows),
            ]),
          ),
          chart(title, file),
          say.smallPrint(
            `Correlation is not cause, and r sees only straight-line relations.`,
            all.length > columns.length && `Only the first ${MOST_COLUMNS} columns of numbers were used.`,
            facts.pairs.length === SHOWN && `The ${SHOWN} strongest pairs are listed.`,
            ...say.readingNotes(columns),
          ),
        );
      }),
    };
  },
};
