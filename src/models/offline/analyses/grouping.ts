import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { inData } from "../code/prepare.ts";
import type { Column } from "../table.ts";

const MOST_PLAIN_VALUES = 12;
export const BINS = 5;

/** Whether a column of numbers is cut into ranges to group by it. */
export function isBinned(column: Column): boolean {
  return column.kind === "number" && column.distinct > MOST_PLAIN_VALUES;
}

/** Whether the groups have an order of their own. */
export function isOrdered(column: Column): boolean {
  return column.kind === "number" || column.kind === "year" || column.kind === "date";
}

/** Lines that replace a column of many numbers by ranges that hold about as many rows each. */
export function binningCode(column: Column, bins = BINS): string[] {
  if (!isBinned(column)) return [];
  const here = inData(column);
  return [
    `# ${bins} ranges with about as many rows each`,
    EDGE_FUNCTION,
    `least = ${here}.min()`,
    `${here} = pd.qcut(${here}, ${bins}, duplicates="drop")`,
    `${here} = ${here}.cat.rename_categories([f"{edge(max(b.left, least))} – {edge(b.right)}" for b in ${here}.cat.categories])`,
  ];
}

/** Writes the end of a range: 42,952 and 0.4991. */
export const EDGE_FUNCTION = `def edge(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
`;

/** An expression for a list of columns' keys. */
export function keysOf(columns: readonly Column[]): string {
  return py(columns.map(({ key }) => key));
}
