import { pythonLiteral as py } from "../../../support/python-literal.ts";
import type { Column, Table } from "../table.ts";
import type { Filter } from "../understanding/frame.ts";

/** Instead of a format: the column holds moments with a time zone already. */
const ZONED = "zoned";

export interface Preparation {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly filters?: readonly Filter[];
  /** Two-valued columns that are measured: as 0 and 1. */
  readonly measured?: readonly Column[];
}

/** Lines that make `data`: the columns needed, texts read as what they are, and the rows asked for. */
export function prepare({ table, columns, filters = [], measured = [] }: Preparation): string {
  const all = [...new Set([...columns, ...filters.map(({ column }) => column)])];
  return [
    selection(table, all),
    ...all.flatMap((column) => reading(column, measured)),
    ...filters.map(filterLine),
  ].join("\n");
}

/** A column of the session's table, wherever its name would be misunderstood by its position. */
export function columnOf(table: Table, column: Column): string {
  return column.byName && column.name === column.key && column.name.length < 200
    ? `${table.df}[${py(column.name)}]`
    : `${table.df}.iloc[:, ${column.position}]`;
}

/** A column of `data`. */
export function inData(column: Column): string {
  return `data[${py(column.key)}]`;
}

function selection(table: Table, columns: readonly Column[]): string {
  const keys = columns.map(({ key }) => key);
  if (columns.length === 0) return `data = ${table.df}.copy()`;
  if (columns.every(({ byName, name }) => byName && name.length < 200))
    return `data = ${table.df}[${py(keys)}].copy()`;
  const positions = columns.map(({ position }) => position);
  return `data = ${table.df}.iloc[:, ${py(positions)}].copy()\ndata.columns = ${py(keys)}`;
}

function reading(column: Column, measured: readonly Column[]): string[] {
  const here = inData(column);
  if (column.reading?.as === "date") {
    const { format } = column.reading;
    if (format === ZONED) return [`${here} = ${here}.dt.tz_convert("UTC").dt.tz_localize(None)`];
    const zone = format.includes("%z");
    return [
      `${here} = pd.to_datetime(${here}, format=${py(format)}, errors="coerce"${zone ? ", utc=True).dt.tz_localize(None" : ""})`,
    ];
  }
  if (column.reading?.as === "number") {
    const commas = column.reading.decimalComma
      ? `.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)`
      : `.str.replace(",", "", regex=False)`;
    return [
      `${here} = pd.to_numeric(${here}.astype(str)${commas}.str.replace(r"^\\((.*)\\)$", r"-\\1", regex=True)` +
        `.str.replace(r"[^0-9.eE+-]", "", regex=True), errors="coerce")`,
    ];
  }
  if (column.kind === "boolean" && measured.includes(column)) {
    return [`${here} = ${here}.astype(str).str.strip().str.lower().map(${TRUTHS})`];
  }
  return [];
}

const TRUTHS = py({
  "1": 1,
  "1.0": 1,
  yes: 1,
  y: 1,
  true: 1,
  t: 1,
  on: 1,
  "0": 0,
  "0.0": 0,
  no: 0,
  n: 0,
  false: 0,
  f: 0,
  off: 0,
});

function filterLine(filter: Filter): string {
  const here = inData(filter.column);
  switch (filter.kind) {
    case "is": {
      const [only, ...more] = filter.values;
      const test =
        more.length === 0 ? `${here} == ${py(only ?? null)}` : `${here}.isin(${py([...filter.values])})`;
      return `data = data[${filter.not ? `~(${test})` : test}]`;
    }
    case "compare":
      return `data = data[${here} ${filter.operator} ${py(filter.value)}]`;
    case "between":
      return `data = data[${here}.between(${py(filter.low)}, ${py(filter.high)})]`;
    case "month":
      return `data = data[${here}.dt.month == ${py(filter.month)}]`;
    case "period": {
      const tests = [
        ...(filter.from ? [`(${here} >= ${py(filter.from)})`] : []),
        ...(filter.until ? [`(${here} < ${py(filter.until)})`] : []),
      ];
      return `data = data[${tests.join(" & ")}]`;
    }
  }
}
