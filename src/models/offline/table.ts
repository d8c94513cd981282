import { z } from "zod";

export const ColumnKind = z.enum([
  "number",
  "boolean",
  "date",
  "year",
  "category",
  "text",
  "id",
  "constant",
  "empty",
]);
export type ColumnKind = z.infer<typeof ColumnKind>;

export type Cell = string | number | boolean;

/** What was found out about a column. */
export interface Column {
  readonly position: number;
  /** As the file has it. */
  readonly name: string;
  /** Unlike any other column's of the table. */
  readonly key: string;
  readonly kind: ColumnKind;
  readonly distinct: number;
  readonly missing: number;
  /** The commonest, when there are few enough to list; `complete` when these are all. */
  readonly values: readonly Cell[];
  readonly complete: boolean;
  /** How numbers or dates that stand in the file as text are read. */
  readonly reading: Reading | undefined;
  /** The first and the last year of a column of dates. */
  readonly years?: readonly [number, number] | undefined;
  /** False where only its position tells it from others. */
  readonly byName: boolean;
}

export type Reading =
  | { readonly as: "number"; readonly decimalComma: boolean; readonly percent: boolean }
  | { readonly as: "date"; readonly format: string; readonly ambiguous: boolean };

/** A loaded table: a variable of the session, and what is known about it. */
export interface Table {
  readonly handle: string;
  readonly df: string;
  readonly rows: number;
  readonly columns: readonly Column[];
  /** How many there are, where not all were looked at. */
  readonly columnCount: number;
  /** How the file was read, in the loader's words. */
  readonly notice: string | undefined;
}

/** Whether a mean of it says something. */
export function isMeasure(column: Column): boolean {
  return column.kind === "number" || column.kind === "boolean";
}

/** Whether rows can be put into groups by it as it is. */
export function isGroup(column: Column): boolean {
  return column.kind === "category" || column.kind === "boolean" || column.kind === "year";
}

export function measures(table: Table): readonly Column[] {
  return table.columns.filter((column) => column.kind === "number");
}

export function groups(table: Table): readonly Column[] {
  return table.columns.filter(isGroup);
}

export function dates(table: Table): readonly Column[] {
  const real = table.columns.filter((column) => column.kind === "date");
  return real.length > 0 ? real : table.columns.filter((column) => column.kind === "year");
}
