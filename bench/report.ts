import type { Machine } from "./machine.ts";
import { type ContenderName, contenderNames, headings, type Measured, type Row, ratios } from "./row.ts";

export interface Report {
  readonly quick: boolean;
  readonly machine: Machine;
  readonly versions: Record<string, string>;
  readonly rows: readonly Row[];
  readonly seconds: number;
}

export function toJson(report: Report): string {
  const rows = report.rows.map((row) => ({ ...row, ratios: ratios(row) }));
  return JSON.stringify({ ...report, rows });
}

export function toTable(report: Report): string {
  const { machine, versions } = report;
  const shown = contenderNames.filter((name) => report.rows.some(({ values }) => name in values));
  const lines = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.kernel}, load ${machine.load} at the start`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", "),
    "median (p95); × is how many times Glovebox's median",
    ...(report.quick ? ["A quick run: its sizes are small and its numbers mean little."] : []),
    "",
    ...aligned([
      ["", ...shown.map((name) => headings[name] ?? name)],
      ...report.rows.map((row) => cellsOf(row, shown)),
    ]),
    "",
    ...report.rows.flatMap(({ what, remark }) => (remark ? [`${what}: ${remark}`] : [])),
    ...missing(report.rows),
    `${Math.round(report.seconds)} s in all`,
  ];
  return `${lines.join("\n")}\n`;
}

function cellsOf(row: Row, shown: readonly ContenderName[]): string[] {
  const times = ratios(row);
  return [row.what, ...shown.map((name) => cell(row, row.values[name], times[name]))];
}

function cell(row: Row, value: Measured | undefined, ratio: number | undefined): string {
  if (value === undefined) return "–";
  if ("notMeasured" in value) return "not measured";
  const spread = value.samples > 1 ? ` (${short(value.p95)})` : "";
  const times = ratio === undefined ? "" : ` ×${short(ratio)}`;
  return `${short(value.median)}${spread} ${row.unit}${times}${value.note ? `, ${value.note}` : ""}`;
}

function missing(rows: readonly Row[]): string[] {
  const reasons = rows.flatMap((row) =>
    (Object.entries(row.values) as [ContenderName, Measured][]).flatMap(([name, value]) =>
      "notMeasured" in value ? [`${row.what}, ${name}: not measured: ${value.notMeasured}`] : [],
    ),
  );
  return [...new Set(reasons)];
}

function aligned(table: readonly string[][]): string[] {
  const columns = table[0]?.map((_, index) => index) ?? [];
  const widths = columns.map((index) => Math.max(...table.map((cells) => cells[index]?.length ?? 0)));
  return table.map((cells) =>
    cells
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function short(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
