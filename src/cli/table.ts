import type { PythonResult } from "../protocol/result.ts";
import type { Paint } from "./colour.ts";
import { padEnd, padStart } from "./display-width.ts";
import { type Column, makeColumn } from "./table-column.ts";

type Frame = Extract<PythonResult, { kind: "dataframe" }>;

const MOST_ROWS = 20;
const ROWS_OF_A_LONG_TABLE = 10;
const CELL_WIDTHS = [40, 24, 14, 8, 4];
const BETWEEN = "  ";
const GAP: Column = { name: "…", dtype: "…", cells: [], alignRight: false, width: 1 };

/** A table fitted to the terminal: columns are dropped from its middle until the rest fits. */
export function formatTable(frame: Frame, screen: { columns: number; paint: Paint }): string {
  const rows = frame.row_count <= MOST_ROWS ? frame.head : frame.head.slice(0, ROWS_OF_A_LONG_TABLE);
  const { columns, dropped } = fit(frame, rows, screen.columns);
  const lines = [
    line(
      columns,
      (column) => column.name,
      (text) => screen.paint("bold", text),
    ),
    line(
      columns,
      (column) => column.dtype,
      (text) => screen.paint("dim", text),
    ),
    ...rows.map((_, row) => line(columns, (column) => (column === GAP ? "…" : (column.cells[row] ?? "")))),
  ];
  if (rows.length < frame.row_count) lines.push(screen.paint("dim", "⋮"));
  const total = frame.meta.column_count ?? frame.columns.length;
  const missing = dropped + total - frame.columns.length;
  const more = missing > 0 ? ` · +${grouped(missing)} column${missing === 1 ? "" : "s"}` : "";
  lines.push(screen.paint("dim", `${grouped(frame.row_count)} × ${grouped(total)}${more}`));
  return lines.join("\n");
}

function fit(
  frame: Frame,
  rows: readonly unknown[][],
  width: number,
): { columns: Column[]; dropped: number } {
  const dtypes = dtypesInOrder(frame);
  let fitted = { columns: [] as Column[], dropped: frame.columns.length };
  for (const mostWidth of CELL_WIDTHS) {
    const index = frame.meta.index ? [indexColumn(frame.meta.index, rows.length, mostWidth)] : [];
    const all = frame.columns.map((name, position) =>
      makeColumn(
        name,
        dtypes[position] ?? "",
        rows.map((row) => row[position]),
        mostWidth,
      ),
    );
    fitted = dropMiddle(index, all, width);
    const kept = all.length - fitted.dropped;
    if (fitted.dropped === 0 || kept >= 2) return fitted;
  }
  return fitted;
}

function dropMiddle(index: Column[], all: Column[], width: number): { columns: Column[]; dropped: number } {
  if (widthOf([...index, ...all]) <= width) return { columns: [...index, ...all], dropped: 0 };
  const left: Column[] = [];
  const right: Column[] = [];
  for (let kept = 0; kept < all.length; kept++) {
    const side = kept % 2 === 0 ? left : right;
    const next = all.at(side === left ? left.length : -1 - right.length);
    if (!next || widthOf([...index, ...left, GAP, next, ...right]) > width) break;
    if (side === left) left.push(next);
    else right.unshift(next);
  }
  return { columns: [...index, ...left, GAP, ...right], dropped: all.length - left.length - right.length };
}

function widthOf(columns: readonly Column[]): number {
  const between = BETWEEN.length * Math.max(0, columns.length - 1);
  return columns.reduce((sum, column) => sum + column.width, between);
}

function line(
  columns: readonly Column[],
  textOf: (column: Column) => string,
  paint: (text: string) => string = (text) => text,
): string {
  const padded = columns.map((column) => {
    const pad = column.alignRight ? padStart : padEnd;
    return pad(textOf(column), column.width);
  });
  return paint(padded.join(BETWEEN).trimEnd());
}

function indexColumn(index: readonly unknown[], rows: number, mostWidth: number): Column {
  const labels = index.slice(0, rows).map((label) => (Array.isArray(label) ? label.join(" / ") : label));
  const dtype = labels.every((label) => /^\d{4}-\d\d-\d\dT/.test(String(label))) ? "datetime" : "";
  return { ...makeColumn("", dtype, labels, mostWidth), dtype: "" };
}

/** Types are told by name, and a name that comes again is told as name.1, name.2 and so on. */
function dtypesInOrder(frame: Frame): string[] {
  const taken = new Set<string>();
  const repeats = new Map<string, number>();
  return frame.columns.map((name) => {
    let unique = name;
    while (taken.has(unique)) {
      repeats.set(name, (repeats.get(name) ?? 0) + 1);
      unique = `${name}.${repeats.get(name)}`;
    }
    taken.add(unique);
    return frame.meta.dtypes[unique] ?? "";
  });
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
