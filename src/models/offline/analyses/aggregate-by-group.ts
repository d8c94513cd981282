import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, table } from "../markdown.ts";
import { count, counted, num } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { answering, type Plan } from "./analysis.ts";
import { binningCode, isBinned, isOrdered, keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const MOST_SHOWN = 12;
const FEW_ROWS = 5;

const GroupFacts = z.object({
  rows: z.number(),
  dropped: z.number(),
  groups: z.number(),
  overall: z.number().nullable(),
  table: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

/** One bar and one row for each group. */
export function byGroup(frame: Frame, groups: readonly Column[]): Plan {
  const { filters, order } = frame;
  const metric = frame.metric && !groups.includes(frame.metric) ? frame.metric : undefined;
  const how = say.aggregateFor({ ...frame, metric });
  const shown = Math.min(frame.top ?? MOST_SHOWN, 30);
  const columns = [...groups, ...(metric ? [metric] : [])];
  const title = say.titled(
    `${say.capital(say.measureTitle(how, metric))} by ${groups.map(({ name }) => name).join(" and ")}`,
    filters,
  );
  const file = `${slug(how === "count" ? "rows" : (metric?.name ?? "rows"), how === "sum" || how === "count" ? "" : how, "by", ...groups.map(({ name }) => name), ...say.filterSlugs(filters))}.png`;
  const value = how === "count" || !metric ? "rows" : how;
  const aggregation =
    how === "count" || !metric
      ? `result = grouped.size().to_frame("rows")`
      : `result = grouped[${py(metric.key)}].agg(["${say.methodOf(how)}", "count"]).set_axis([${py(value)}, "rows"], axis=1)`;
  const whole = how === "count" || !metric ? "len(data)" : `${inData(metric)}.${say.methodOf(how)}()`;
  return {
    intent: title.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
      prepare({ table: frame.table, columns, filters, measured: metric ? [metric] : [] }),
      `before = len(data)`,
      `data = data.dropna(subset=${keysOf(columns)})`,
      ...groups.flatMap((group) => binningCode(group)),
      `\ngrouped = data.groupby(${keysOf(groups)}, observed=True)`,
      aggregation,
      `result = result.sort_values(${py(value)}, ascending=${order === "lowest" ? "True" : "False"}, kind="stable")`,
      ...(groups.length === 1 ? barsCode(groups[0] as Column, value, shown, frame.top !== undefined) : []),
      chartCode(
        groups.length > 1
          ? twoGroups({ title, file, value: say.measureTitle(how, metric), column: value })
          : oneGroup({ title, file, value: say.measureTitle(how, metric), group: groups[0] as Column }),
      ),
      `\n{`,
      `    "rows": len(data),`,
      `    "dropped": before - len(data),`,
      `    "groups": len(result),`,
      `    "overall": float(${whole}) if len(data) else None,`,
      `    "table": [`,
      `        [*(str(part)[:60] for part in (name if isinstance(name, tuple) else (name,))), float(row[${py(value)}]), int(row["rows"])]`,
      `        for name, row in result.head(${shown}).iterrows()`,
      `    ],`,
      `}`,
    ].join("\n"),
    answer: answering(GroupFacts, (facts) => {
      const words = say.measureWords(how, metric);
      const rows = facts.table;
      const [first, last] = [rows[0], rows.at(-1)];
      if (facts.rows === 0 || !first || !last) return say.nothingLeft(frame);
      const names = (row: (typeof rows)[number]) =>
        row
          .slice(0, groups.length)
          .map((part, at) => say.valueWords(groups[at] as Column, String(part)))
          .join(" / ");
      const amount = (row: (typeof rows)[number]) => num(Number(row[groups.length]));
      const where = say.filterWords(filters);
      const all = facts.groups <= rows.length;
      const lead =
        rows.length === 1 && facts.groups === 1
          ? `The ${words} of ${names(first)}${where} is **${amount(first)}**.`
          : `The ${words} is ${order === "lowest" ? "lowest" : "highest"} for **${names(first)}** (${amount(first)})${
              all
                ? ` and ${order === "lowest" ? "highest" : "lowest"} for ${names(last)} (${amount(last)})`
                : ""
            }${where}.${facts.overall === null ? "" : ` Over all ${counted(facts.rows, "row")} it is ${num(facts.overall)}.`}`;
      const few = rows.filter((row) => Number(row.at(-1)) < FEW_ROWS).length;
      const plainCount = how === "count" || !metric;
      return paragraphs(
        lead,
        table(
          [
            ...groups.map(({ name }) => ({ title: code(name) })),
            { title: words, numeric: true },
            ...(plainCount ? [] : [{ title: "rows", numeric: true }]),
          ],
          rows.map((row) => [
            ...row
              .slice(0, groups.length)
              .map((part, at) => say.valueWords(groups[at] as Column, String(part))),
            amount(row),
            ...(plainCount ? [] : [count(Number(row.at(-1)))]),
          ]),
        ),
        chart(title, file),
        say.smallPrint(
          !all && `${count(rows.length)} of ${counted(facts.groups, "group")} are shown.`,
          groups.some(isBinned) &&
            "A column of many numbers was cut into ranges with about as many rows each.",
          !frame.aggregate &&
            metric &&
            !frame.order &&
            !frame.said.has(how) &&
            `You did not say how to combine the rows; I took the ${say.AGGREGATE_NAMES[how]}.`,
          !frame.aggregate && metric && frame.order && `Ranked by the ${say.AGGREGATE_NAMES[how]}.`,
          !frame.metricNamed && metric && `You named no column to rank by, so I used ${code(metric.name)}.`,
          frame.others.length > 0 &&
            `You named other columns too; I took the first. Ask for ${code(frame.others[0]?.name ?? "")} by itself.`,
          say.droppedNote(facts.dropped, "missing values"),
          few > 0 &&
            !plainCount &&
            `${counted(few, "group has", "groups have")} fewer than ${FEW_ROWS} rows; read ${few === 1 ? "it" : "them"} with care.`,
          ...say.readingNotes(columns),
        ),
      );
    }),
  };
}

/** The bars, in the groups' own order where they have one and no few were asked for. */
function barsCode(group: Column, value: string, shown: number, few: boolean): string[] {
  const bars = `\nbars = result[${py(value)}].head(${shown})`;
  return isOrdered(group) && !few ? [`${bars}.sort_index()`] : [bars];
}

function oneGroup({
  title,
  file,
  value,
  group,
}: {
  title: string;
  file: string;
  value: string;
  group: Column;
}) {
  const ordered = isOrdered(group);
  return {
    file,
    title,
    ...(ordered ? { x: group.name, y: value } : { x: value, y: group.name }),
    draw: ordered
      ? `ax.bar(${tickNames("bars.index")}, bars, color="#3b76af")\nax.tick_params(axis="x", rotation=30 if len(bars) > 6 else 0)`
      : `bars = bars[::-1]  # the first on top\nax.barh(${tickNames("bars.index")}, bars, color="#3b76af")`,
    height: ordered ? "4.5" : "max(2.5, 0.4 * len(bars) + 1.2)",
  };
}

function twoGroups(of: { title: string; file: string; value: string; column: string }) {
  return {
    file: of.file,
    title: of.title,
    y: of.value,
    width: 9,
    draw: [
      `wide = result[${py(of.column)}].unstack()`,
      `wide = wide.loc[wide.mean(axis=1).sort_values(ascending=False).index[:12]].iloc[:, :8]`,
      `wide.index, wide.columns = ${tickNames("wide.index")}, ${tickNames("wide.columns")}`,
      `if len(wide):`,
      `    wide.plot.bar(ax=ax, rot=30 if len(wide) > 5 else 0)`,
      `    ax.legend(frameon=False, fontsize=8)`,
    ].join("\n"),
  };
}
