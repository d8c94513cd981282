import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, paragraphs, plain, table } from "../markdown.ts";
import { count, counted, num, percent, pValue } from "../numbers.ts";
import { type Column, dates } from "../table.ts";
import { isEvent } from "../understanding/events.ts";
import type { Aggregate, Frame, Grain } from "../understanding/frame.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { type Analysis, answering, type Plan } from "./analysis.ts";
import * as say from "./phrasing.ts";

const SHOWN = 24;
const MOST_LINES = 6;

const FREQUENCIES: Partial<Record<Grain, string>> = {
  day: "D",
  week: "W",
  month: "M",
  quarter: "Q",
  year: "Y",
};

const Facts = z.object({
  rows: z.number(),
  dropped: z.number(),
  grain: z.string(),
  periods: z.number(),
  first: z.tuple([z.string(), z.number()]).nullable(),
  last: z.tuple([z.string(), z.number()]).nullable(),
  highest: z.tuple([z.string(), z.number()]).nullable(),
  lowest: z.tuple([z.string(), z.number()]).nullable(),
  rank_correlation: z.number().nullable(),
  p: z.number().nullable(),
  table: z.array(z.tuple([z.string(), z.number().nullable(), z.number()])),
});

/** A number over time: by day, week, month, quarter, year, by the weekday or the hour. */
export const trend: Analysis = {
  name: "trend",
  example(of) {
    const metric = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    return dates(of).length > 0
      ? `How does ${metric?.name ?? "the number of rows"} change by ${dates(of)[0]?.kind === "year" ? "year" : "month"}?`
      : undefined;
  },
  fits({ table: of, cues, others, grain, time, groups, metric, aggregate }) {
    if (grain) return 76;
    if (cues.has("trend")) return 75;
    if (cues.has("change") && metric && others.length === 0 && groups.length === 0 && dates(of).length > 0)
      return 60;
    return time && (metric || aggregate || groups.length > 0 || cues.has("group")) && !cues.has("missing")
      ? 48
      : 0;
  },
  plan(frame) {
    const time = frame.time ?? dates(frame.table)[0];
    if (!time)
      return { refused: "I find no column of dates in this table, so I cannot show anything over time." };
    return overTime(frame, time);
  },
};

function overTime(given: Frame, time: Column): Plan {
  const named = given.metric ?? given.others[0];
  const counts = !named && (given.aggregate === "count" || isEvent(given));
  const metric = named ?? (counts ? undefined : mainMeasure(given.table));
  const frame: Frame = { ...given, metric };
  const { filters, grain } = frame;
  const how: Aggregate = metric ? say.aggregateFor(frame) : "count";
  const group = frame.groups.find(
    (column) => column !== time && (column.kind === "category" || column.kind === "boolean"),
  );
  const columns = [time, ...(metric ? [metric] : []), ...(group ? [group] : [])];
  const title = say.titled(
    `${say.measureTitle(how, metric)} ${grain === "weekday" ? "by weekday" : grain === "hour" ? "by hour" : grain ? `by ${grain}` : "over time"}${group ? `, by ${group.name}` : ""}`,
    filters,
  );
  const file = `${slug(metric?.name ?? "rows", how === "sum" || how === "count" ? "" : how, grain ? `by ${grain}` : "over time", group ? `and ${group.name}` : "", ...say.filterSlugs(filters))}.png`;
  const value =
    metric && how !== "count" ? `[${py(metric.key)}].${how === "distinct" ? "nunique" : how}()` : `.size()`;
  return {
    intent: say.capital(title).slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt\nimport pandas as pd\nfrom scipy import stats\n`,
      prepare({ table: frame.table, columns, filters, measured: metric ? [metric] : [] }),
      `before = len(data)`,
      `data = data.dropna(subset=${py(columns.map(({ key }) => key))})`,
      ...periodCode(time, grain),
      `\ngrouped = data.groupby(period.rename("period"), observed=True)`,
      `result = grouped${value}`,
      `rows = grouped.size()`,
      ...(group
        ? [
            `common = ${inData(group)}.value_counts().index[:${MOST_LINES}]`,
            `lines = data.groupby([period.rename("period"), ${inData(group)}])${value}.unstack()[common]`,
          ]
        : []),
      `\n# Does it rise or fall steadily?`,
      `steady = p = None`,
      `if len(result) > 3 and result.nunique() > 1:`,
      `    steady, p = map(float, stats.spearmanr(range(len(result)), result))\n`,
      chartCode({
        file,
        title: say.capital(title),
        x: time.name,
        y: say.measureTitle(how, metric),
        width: 9,
        draw: [
          `shown = ${group ? "lines" : "result"}.copy()`,
          ...(group
            ? [`shown.columns = [str(name)[:30].replace("$", r"\\$") for name in shown.columns]`]
            : []),
          `shown.index = shown.index.astype(str)`,
          `if len(shown):`,
          grain === "weekday" || grain === "hour"
            ? `    shown.plot.bar(ax=ax, ${group ? "" : `color="#3b76af", `}rot=30)`
            : `    shown.plot(ax=ax, marker="o" if len(shown) <= 40 else None, ${group ? "" : `color="#3b76af", `}rot=30)`,
          ...(group ? [`    ax.legend(frameon=False, fontsize=8)`] : []),
        ].join("\n"),
      }),
      `\ndef pair(at):\n    return [str(at), float(result[at])] if len(result) else None\n\n`,
      `{`,
      `    "rows": len(data),`,
      `    "dropped": before - len(data),`,
      `    "grain": grain,`,
      `    "periods": len(result),`,
      `    "first": pair(result.index[0]) if len(result) else None,`,
      `    "last": pair(result.index[-1]) if len(result) else None,`,
      `    "highest": pair(result.idxmax()) if len(result) else None,`,
      `    "lowest": pair(result.idxmin()) if len(result) else None,`,
      `    "rank_correlation": steady,`,
      `    "p": p,`,
      `    "table": [[str(at), float(amount), int(rows[at])] for at, amount in result.tail(${SHOWN}).items()],`,
      `}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const { first, last, highest, lowest } = facts;
      const words = say.measureWords(how, metric);
      if (!first || !last || !highest || !lowest)
        return `No row has a date in ${code(time.name)}${say.filterWords(filters)} to work with.`;
      if (facts.periods === 1)
        return `All ${counted(facts.rows, "row")}${say.filterWords(filters)} fall into one ${facts.grain}, ${plain(first[0])}: the ${words} is **${num(first[1])}**.`;
      const cyclic = facts.grain === "weekday" || facts.grain === "hour";
      const change = first[1] === 0 ? undefined : last[1] / first[1] - 1;
      const steady = facts.rank_correlation !== null && facts.p !== null && facts.p < 0.05;
      const direction = !steady
        ? "There is no steady rise or fall"
        : (facts.rank_correlation as number) > 0
          ? "It rises over time"
          : "It falls over time";
      return paragraphs(
        `The ${words} was highest ${cyclic ? "on" : "in"} **${plain(highest[0])}** (${num(highest[1])}) and lowest ${cyclic ? "on" : "in"} **${plain(lowest[0])}** (${num(lowest[1])})${say.filterWords(filters)}.`,
        cyclic
          ? undefined
          : `From ${plain(first[0])} to ${plain(last[0])} it went from ${num(first[1])} to ${num(last[1])}${change === undefined ? "" : ` (${change >= 0 ? "+" : "−"}${percent(Math.abs(change), 0)})`}, over ${counted(facts.periods, facts.grain)}. ${direction}${facts.rank_correlation === null ? "" : ` (rank correlation with time ${num(facts.rank_correlation, 2)}, ${pValue(facts.p)})`}.`,
        table(
          [
            { title: facts.grain },
            { title: words, numeric: true },
            ...(how === "count" ? [] : [{ title: "rows", numeric: true }]),
          ],
          facts.table.map(([period, amount, rows]) => [
            plain(period),
            num(amount),
            ...(how === "count" ? [] : [count(rows)]),
          ]),
        ),
        chart(say.capital(title), file),
        say.smallPrint(
          facts.periods > facts.table.length &&
            `The last ${count(facts.table.length)} of ${counted(facts.periods, facts.grain)} are in the table; the chart has all.`,
          !cyclic && `The first and the last ${facts.grain} may not be complete.`,
          !frame.aggregate && metric && `I took the ${say.AGGREGATE_NAMES[how]} of ${code(metric.name)}.`,
          group &&
            group.distinct > MOST_LINES &&
            `The chart shows the ${MOST_LINES} commonest groups of ${code(group.name)}.`,
          say.droppedNote(facts.dropped, "missing values"),
          ...say.readingNotes([time, metric]),
        ),
      );
    }),
  };
}

/** Lines that make `period` and `grain`. */
function periodCode(time: Column, grain: Grain | undefined): string[] {
  const here = inData(time);
  if (time.kind === "year") return [`grain, period = "year", ${here}.astype(int)`];
  if (grain === "hour") return [`grain, period = "hour", ${here}.dt.hour`];
  if (grain === "weekday") {
    return [
      `weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]`,
      `grain, period = "weekday", pd.Categorical(${here}.dt.day_name(), categories=weekdays, ordered=True)`,
      `period = pd.Series(period, index=data.index)`,
    ];
  }
  const frequency = grain ? FREQUENCIES[grain] : undefined;
  if (frequency) return [`grain, period = ${py(grain ?? "")}, ${here}.dt.to_period(${py(frequency)})`];
  return [
    `span = (${here}.max() - ${here}.min()).days if len(data) else 0`,
    `grain = "day" if span <= 45 else "week" if span <= 200 else "month" if span <= 2200 else "year"`,
    `period = ${here}.dt.to_period({"day": "D", "week": "W", "month": "M", "year": "Y"}[grain])`,
  ];
}
