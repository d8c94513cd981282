import { z } from "zod";
import { inData, prepare } from "../code/prepare.ts";
import { code, paragraphs, plain, table } from "../markdown.ts";
import { counted, num } from "../numbers.ts";
import type { Aggregate, Frame } from "../understanding/frame.ts";
import { answering, type Plan } from "./analysis.ts";
import * as say from "./phrasing.ts";

const OneFacts = z.object({
  rows: z.number(),
  used: z.number(),
  value: z.number().nullable(),
  more: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
});

/** One number for the whole table, or for the rows asked for. */
export function overall(given: Frame): Plan {
  const counted1 = given.groups[0];
  const metric =
    given.metric ?? (given.aggregate === "distinct" || given.cues.has("count") ? counted1 : undefined);
  const frame = { ...given, metric };
  const { filters } = frame;
  const distinct = metric !== undefined && metric.kind !== "number" && metric.kind !== "boolean";
  const extreme = frame.order && frame.aggregate === undefined;
  const how: Aggregate = distinct
    ? "distinct"
    : extreme
      ? frame.order === "lowest"
        ? "min"
        : "max"
      : say.aggregateFor(frame);
  const plainCount = how === "count" || !metric;
  const whole = plainCount ? "len(data)" : `${inData(metric)}.${say.methodOf(how)}()`;
  const row = how === "min" || how === "max";
  const beside = row
    ? frame.table.columns.filter(({ kind }) => kind !== "empty" && kind !== "constant").slice(0, 6)
    : [];
  const columns = [...new Set([...(metric ? [metric] : []), ...beside])];
  const extra = plainCount
    ? ""
    : row
      ? `{name[:60]: str(value)[:60] for name, value in data.loc[${inData(metric)}.idx${how}()].items()} if len(values) else {}`
      : distinct
        ? `{str(name)[:60]: int(n) for name, n in ${inData(metric)}.value_counts().head(10).items()}`
        : `{"mean": float(values.mean()), "median": float(values.median()), "min": float(values.min()), "max": float(values.max())} if len(values) else {}`;
  return {
    intent: say.capital(say.measureTitle(how, metric)).slice(0, 120),
    code: [
      `import pandas as pd\n`,
      columns.length === 0 && filters.length === 0
        ? `data = ${frame.table.df}`
        : prepare({
            table: frame.table,
            columns,
            filters,
            measured: metric?.kind === "boolean" && !distinct ? [metric] : [],
          }),
      ...(plainCount ? [] : [`data = data.reset_index(drop=True)`, `values = ${inData(metric)}.dropna()`]),
      `\n{`,
      `    "rows": len(data),`,
      `    "used": ${plainCount ? "len(data)" : "len(values)"},`,
      `    "value": float(${whole}) if len(data) else None,`,
      `    "more": ${extra || "{}"},`,
      `}`,
    ].join("\n"),
    answer: answering(OneFacts, (facts) => {
      const where = say.filterWords(filters);
      if (facts.rows === 0 && filters.length > 0) return say.nothingLeft(frame);
      if (plainCount)
        return `There ${facts.value === 1 ? "is" : "are"} **${counted(facts.value ?? 0, "row")}**${where}.`;
      const rows = counted(facts.used, "row");
      if (facts.used === 0)
        return `${code(metric.name)} holds no values${where}, so it has no ${say.AGGREGATE_NAMES[how]}.`;
      if (distinct) {
        const common = Object.entries(facts.more).map(([name, n]) => [plain(name), num(Number(n))]);
        return paragraphs(
          `${code(metric.name)} has **${counted(facts.value ?? 0, "distinct value")}** in ${rows}${where}.`,
          table([{ title: code(metric.name) }, { title: "rows", numeric: true }], common),
          (facts.value ?? 0) > common.length && `The ${common.length} commonest are shown.`,
        );
      }
      const lead = `The ${say.measureWords(how, metric)}${where} is **${num(facts.value)}** (${rows}).`;
      const dropped = say.droppedNote(facts.rows - facts.used, `a missing ${code(metric.name)}`);
      if (row) {
        return paragraphs(
          lead,
          "The first row with it:",
          table(
            [{ title: "column" }, { title: "value" }],
            Object.entries(facts.more).map(([name, value]) => [code(name), say.cellWords(String(value))]),
          ),
          say.smallPrint(dropped, ...say.readingNotes([metric])),
        );
      }
      const about = facts.more;
      return paragraphs(
        lead,
        facts.used > 1 &&
          `For orientation: mean ${num(Number(about.mean))}, median ${num(Number(about.median))}, from ${num(Number(about.min))} to ${num(Number(about.max))}.`,
        say.smallPrint(
          !frame.aggregate &&
            !frame.said.has(how) &&
            `You did not say how to combine the rows; I took the ${say.AGGREGATE_NAMES[how]}.`,
          !frame.metricNamed && `You named no column, so I used ${code(metric.name)}.`,
          dropped,
          ...say.readingNotes([metric]),
        ),
      );
    }),
  };
}
