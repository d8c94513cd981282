import { z } from "zod";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, plain, table } from "../markdown.ts";
import { counted, num, percent, pValue } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { answering, type Plan } from "./analysis.ts";
import { keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const SHOWN = 8;

const Facts = z.object({
  rows: z.number(),
  p: z.number().nullable(),
  cramer_v: z.number().nullable(),
  columns: z.array(z.string()),
  table: z.array(z.tuple([z.string(), z.array(z.number())])),
});

/** How two columns of groups go together: a cross table and a chi-square test. */
export function betweenGroups(frame: Frame, x: Column, y: Column): Plan {
  const { filters } = frame;
  const title = say.titled(`${y.name} within ${x.name}`, filters);
  const file = `${slug(y.name, "within", x.name, ...say.filterSlugs(filters))}.png`;
  return {
    intent: `Cross ${x.name} with ${y.name}`.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\nfrom scipy import stats\n`,
      prepare({ table: frame.table, columns: [x, y], filters }),
      `data = data.dropna(subset=${keysOf([x, y])}).astype(str)`,
      `# The commonest ${SHOWN} of each`,
      `for name in ${keysOf([x, y])}:`,
      `    common = data[name].value_counts().index[:${SHOWN}]`,
      `    data = data[data[name].isin(common)]`,
      `counts = pd.crosstab(${inData(x)}, ${inData(y)})`,
      `p = cramer_v = None`,
      `if min(counts.shape) > 1:`,
      `    chi2, p = map(float, stats.chi2_contingency(counts)[:2])`,
      `    cramer_v = float((chi2 / (counts.to_numpy().sum() * (min(counts.shape) - 1))) ** 0.5)`,
      `shares = counts.div(counts.sum(axis=1), axis=0)\n`,
      `shown = shares.copy()`,
      `shown.index, shown.columns = ${tickNames("shown.index")}, ${tickNames("shown.columns")}`,
      chartCode({
        file,
        title,
        x: x.name,
        y: "share of rows",
        draw: `if len(shown):\n    shown.plot.bar(stacked=True, ax=ax, rot=30 if len(shown) > 5 else 0)\n    ax.legend(frameon=False, bbox_to_anchor=(1, 1))`,
      }),
      `\n{`,
      `    "rows": int(counts.to_numpy().sum()),`,
      `    "p": p,`,
      `    "cramer_v": cramer_v,`,
      `    "columns": [str(name)[:40] for name in counts.columns],`,
      `    "table": [[str(name)[:40], [round(float(share), 4) for share in row]] for name, row in zip(shares.index, shares.to_numpy())],`,
      `}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const [xs, ys] = [code(x.name), code(y.name)];
      if (facts.cramer_v === null)
        return `${xs} and ${ys} have too few values in common${say.filterWords(filters)} to be compared.`;
      const v = facts.cramer_v;
      const related = (facts.p ?? 1) < 0.05;
      const size = v >= 0.5 ? "strong" : v >= 0.3 ? "moderate" : v >= 0.1 ? "weak" : "very weak";
      return paragraphs(
        related
          ? `${xs} and ${ys} **go together**${say.filterWords(filters)} (chi-square ${pValue(facts.p)}); the relation is ${size} (Cramér's V ${num(v, 3)}, ${counted(facts.rows, "row")}).`
          : `I find **no reliable relation** between ${xs} and ${ys}${say.filterWords(filters)} (chi-square ${pValue(facts.p)}, Cramér's V ${num(v, 3)}, ${counted(facts.rows, "row")}).`,
        table(
          [
            { title: `${xs} ↓ ${ys} →` },
            ...facts.columns.map((name) => ({ title: plain(name), numeric: true })),
          ],
          facts.table.map(([name, shares]) => [plain(name), ...shares.map((share) => percent(share))]),
        ),
        `Each row of the table adds up to 100 %.`,
        chart(title, file),
        say.smallPrint(
          `That two things go together does not say that one causes the other.`,
          facts.rows < 50 && `With so few rows the test is rough.`,
        ),
      );
    }),
  };
}
