import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import type { Column, Table } from "../table.ts";
import { columnOf } from "./prepare.ts";

const Found = z.array(z.tuple([z.number().int(), z.string()]));

/** Whether words of the question are values of columns that hold too many to list. */
export function lookupCell(table: Table, columns: readonly Column[], words: readonly string[]): string {
  const searched = columns.map((column) => `    ${column.position}: ${columnOf(table, column)},`).join("\n");
  return `# Are these words values of a column?
words = ${py([...words])}
searched = {
${searched}
}
found = []
for position, column in searched.items():
    for value in column.dropna().astype(str).drop_duplicates():
        parts = value.lower().replace("_", " ").split()
        if any(word in parts for word in words) and len(value) <= 60:
            found.append([position, value])
found[:40]`;
}

/** The table, knowing these values too. */
export function withFoundValues(table: Table, json: unknown): Table {
  const found = Found.safeParse(json);
  if (!found.success || found.data.length === 0) return table;
  const columns = table.columns.map((column) => {
    const more = found.data.flatMap(([position, value]) => (position === column.position ? [value] : []));
    return more.length === 0 ? column : { ...column, values: [...new Set([...column.values, ...more])] };
  });
  return { ...table, columns };
}

/** Columns of text whose values are not all known. */
export function unlistedColumns(table: Table): readonly Column[] {
  const text = table.columns.filter(
    ({ kind, complete }) => (kind === "category" || kind === "text" || kind === "id") && !complete,
  );
  return text.slice(0, 12);
}
