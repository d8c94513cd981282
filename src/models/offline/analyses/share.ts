import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { truthOf } from "../understanding/value-matching.ts";
import { type Analysis, answering, type Plan } from "./analysis.ts";
import { binningCode, keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const SHOWN = 12;

/** What part of the rows, or of a total, belongs to a group. */
export const share: Analysis = {
  name: "share",
  example(of) {
    const group = of.columns.find(({ kind, values }) => kind === "category" && values.length > 1);
    return group ? `What percentage of rows has ${group.name} ${group.values[0]}?` : undefined;
  },
  fits: ({ cues, filters, groups, metric }) =>
    cues.has("share") && (filters.length > 0 || groups.length > 0 || metric?.kind === "boolean") ? 74 : 0,
  plan(frame) {
    const { filters, groups, metric } = frame;
    const part = filters.at(-1);
    const yes = metric?.kind === "boolean" && groups.length === 0 ? truthOf(metric)[0] : undefined;
    if (metric && yes !== undefined) {
      const only = { kind: "is", column: metric, values: [yes], not: false } as const;
      return ofRows({ ...frame, metric: undefined, filters: [...filters, only] });
    }
    if (
      part &&
      (groups.length === 0 || groups.every((column) => filters.some((filter) => filter.column === column)))
    )
      return ofRows(frame);
    const group = groups[0];
    return group ? byGroup(frame, group) : { refused: "Name the group whose share you want to know." };
  },
};

const PartFacts = z.object({
  part: z.number(),
  whole: z.number(),
  amount: z.number().nullable(),
  total: z.number().nullable(),
});

/** The last condition cuts the part; those before it, the whole. */
function ofRows(frame: Frame): Plan {
  const { filters } = frame;
  const base = filters.slice(0, -1);
  const last = filters.slice(-1);
  const metric =
    frame.metric?.kind === "number" && !last.some(({ column }) => column === frame.metric)
      ? frame.metric
      : undefined;
  const columns = [...new Set([...(metric ? [metric] : []), ...last.map(({ column }) => column)])];
  return {
    intent: "Compute a share of the whole",
    code: [
      `import pandas as pd\n`,
      prepare({ table: frame.table, columns, filters: base }),
      `whole = data`,
      prepare({ table: frame.table, columns, filters }),
      `\n{`,
      `    "part": len(data),`,
      `    "whole": len(whole),`,
      `    "amount": ${metric ? `float(${inData(metric)}.sum())` : "None"},`,
      `    "total": ${metric ? `float(whole[${py(metric.key)}].sum())` : "None"},`,
      `}`,
    ].join("\n"),
    answer: answering(PartFacts, (facts) => {
      if (facts.whole === 0) return `No row is left${say.filterWords(base)}, so there is no share to give.`;
      const rows = `${count(facts.part)} of ${counted(facts.whole, "row")}${say.filterWords(base)} (${percent(facts.part / facts.whole)})`;
      if (facts.amount === null || facts.total === null || !metric)
        return `**${percent(facts.part / facts.whole)}** of the rows${say.filterWords(base)} are those${say.filterWords(last)}: ${count(facts.part)} of ${count(facts.whole)}.`;
      return paragraphs(
        `Rows${say.filterWords(last)} make up **${facts.total === 0 ? "n/a" : percent(facts.amount / facts.total)}** of the ${say.measureWords("sum", metric)}: ${num(facts.amount)} of ${num(facts.total)}. They are ${rows}.`,
      );
    }),
  };
}

const GroupFacts = z.object({
  rows: z.number(),
  total: z.number(),
  groups: z.number(),
  table: z.array(z.tuple([z.string(), z.number()])),
});

function byGroup(frame: Frame, group: Column): Plan {
  const { filters } = frame;
  const metric = frame.metric?.kind === "number" && frame.metric !== group ? frame.metric : undefined;
  const what = metric?.name ?? "rows";
  const title = say.titled(`Share of ${what} by ${group.name}`, filters);
  const file = `${slug("share of", metric?.name ?? "rows", "by", group.name, ...say.filterSlugs(filters))}.png`;
  const columns = [group, ...(metric ? [metric] : [])];
  return {
    intent: title.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
      prepare({ table: frame.table, columns, filters }),
      `data = data.dropna(subset=${keysOf(columns)})`,
      ...binningCode(group),
      `result = data.groupby(${py(group.key)}, observed=True)${metric ? `[${py(metric.key)}].sum()` : ".size()"}.sort_values(ascending=False)`,
      `bars = (result / result.sum() * 100).head(${SHOWN})[::-1]`,
      chartCode({
        file,
        title,
        x: "per cent",
        y: group.name,
        draw: `ax.barh(${tickNames("bars.index")}, bars, color="#3b76af")`,
        height: "max(2.5, 0.4 * len(bars) + 1.2)",
      }),
      `\n{`,
      `    "rows": len(data),`,
      `    "total": float(result.sum()),`,
      `    "groups": len(result),`,
      `    "table": [[str(name)[:60], float(amount)] for name, amount in result.head(${SHOWN}).items()],`,
      `}`,
    ].join("\n"),
    answer: answering(GroupFacts, (facts) => {
      const [first] = facts.table;
      const whole = metric
        ? `the ${say.measureWords("sum", metric)}, ${num(facts.total)}`
        : `the ${counted(facts.rows, "row")}`;
      if (!first || facts.total === 0) return `There is nothing to divide${say.filterWords(filters)}.`;
      return paragraphs(
        `**${say.valueWords(group, first[0])}** has the largest share of ${whole}${say.filterWords(filters)}: **${percent(first[1] / facts.total)}**.`,
        table(
          [
            { title: code(group.name) },
            { title: metric ? say.measureWords("sum", metric) : "rows", numeric: true },
            { title: "share", numeric: true },
          ],
          facts.table.map(([name, amount]) => [
            say.valueWords(group, name),
            num(amount),
            percent(amount / facts.total),
          ]),
        ),
        chart(title, file),
        say.smallPrint(
          facts.groups > facts.table.length &&
            `The ${count(facts.table.length)} largest of ${counted(facts.groups, "group")} are shown.`,
          metric &&
            facts.table.some(([, amount]) => amount < 0) &&
            `Some amounts are negative, so shares do not add up as parts of a whole.`,
        ),
      );
    }),
  };
}
