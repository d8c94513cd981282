import type { Tokens } from "marked";
import { inlineSpans } from "./inline.ts";
import { paintSpans, type Span, type SpanLine, widthOfSpans, wrapSpans } from "./spans.ts";
import type { Writing } from "./writing.ts";

const BETWEEN = 2;
const NARROWEST = 6;

/** A table whose columns are narrowed, and their words wrapped, until it fits; too many columns become records. */
export function tableLines(token: Tokens.Table, writing: Writing): string[] {
  const header = token.header.map((cell) => inlineSpans(cell.tokens, writing, ["bold"]));
  const rows = token.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens, writing)));
  const natural = header.map((_, column) =>
    Math.max(1, ...[header, ...rows].map((row) => naturalWidth(row[column] ?? []))),
  );
  const widths = fit(natural, writing.columns - BETWEEN * (natural.length - 1));
  if (!widths) return records(header, rows, writing);
  const line = (cells: readonly Span[][]) => rowLines(cells, widths, token.align, writing);
  const rule = widths.map((width) => "─".repeat(width)).join(" ".repeat(BETWEEN));
  return [...line(header), writing.paint("dim", rule), ...rows.flatMap(line)];
}

function naturalWidth(spans: readonly Span[]): number {
  return Math.max(0, ...wrapSpans(spans, Number.MAX_SAFE_INTEGER).map(widthOfSpans));
}

/** Takes from the widest columns first. */
function fit(natural: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return undefined;
    const second = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const many = widths.filter((width) => width === widest).length;
    const step = Math.max(1, Math.min(widest - second, Math.ceil(over / many)));
    for (let at = 0; at < widths.length && over > 0; at++) {
      if (widths[at] !== widest) continue;
      const less = Math.min(step, over);
      widths[at] = widest - less;
      over -= less;
    }
  }
  return widths;
}

function rowLines(
  cells: readonly Span[][],
  widths: readonly number[],
  align: readonly (string | null)[],
  writing: Writing,
): string[] {
  const wrapped = widths.map((width, column) => wrapSpans(cells[column] ?? [], width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    widths
      .map((width, column) => padded(wrapped[column]?.[row] ?? [], width, align[column], writing))
      .join(" ".repeat(BETWEEN))
      .trimEnd(),
  );
}

function padded(line: SpanLine, width: number, align: string | null | undefined, writing: Writing): string {
  const room = Math.max(0, width - widthOfSpans(line));
  const before = align === "right" ? room : align === "center" ? Math.floor(room / 2) : 0;
  return " ".repeat(before) + paintSpans(line, writing) + " ".repeat(room - before);
}

function records(header: readonly Span[][], rows: readonly Span[][][], writing: Writing): string[] {
  return rows.flatMap((row, number) => [
    ...(number > 0 ? [""] : []),
    ...row.flatMap((cell, column) => {
      const spans = [...(header[column] ?? []), { text: ": ", styles: [] }, ...cell];
      return wrapSpans(spans, writing.columns).map((line) => paintSpans(line, writing));
    }),
  ]);
}
