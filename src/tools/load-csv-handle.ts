// find the file → look at it inside the walls → run the plain code that loads it → say how it was read
import { z } from "zod";
import type { CellResult } from "../protocol/result.ts";
import { forModel } from "./python-repl.ts";
import { runCell } from "./run-cell.ts";
import { DfName } from "./tables/df-name.ts";
import { filesOf, findTable, type TableHandle } from "./tables/handles.ts";
import { rememberColumns } from "./tables/known-columns.ts";
import { lookAt } from "./tables/look.ts";
import { type ToolResult, tool } from "./tool.ts";

const MOST_NAMED = 40;

export const loadCsvHandle = tool({
  name: "load_csv_handle",
  description:
    "Load a table of /mnt/data into a pandas DataFrame. Encoding, separator, quotes, decimal comma, lines above the header, " +
    "comments and ragged rows are found out; the notice says what was found. An empty field is a missing value. Numbers become " +
    "numbers unless that would change them (leading zeros, very long ids stay text); dates stay text. Words such as NA are " +
    "missing values only among numbers. Set as_text to get every field exactly as it is written.",
  parameters: z.strictObject({
    name: z.string().min(1).max(1024).describe("The name that list_csv_files gives, or the file's path."),
    df_name: DfName.describe("The variable to load it into."),
    columns: z
      .array(z.string().max(1024))
      .min(1)
      .max(1000)
      .optional()
      .describe("Only these columns, in this order."),
    rows: z.number().int().min(1).max(1_000_000_000).optional().describe("Only so many rows from the top."),
    as_text: z.boolean().optional().describe("Every value as the text it is in the file."),
  }),
  describe: ({ name, df_name }) => ({ intent: `Load ${name} as ${df_name}` }),
  async run({ name, df_name, columns, rows, as_text }, context): Promise<ToolResult<CellResult | undefined>> {
    const files = await filesOf(context.session);
    const found = findTable(files, name);
    if (!("path" in found)) return notFound(name, found);
    const request = {
      path: found.path,
      dfName: df_name,
      columns: columns && [...new Set(columns)],
      rows,
      asText: as_text ?? false,
    };
    const { seen, result: look } = await lookAt(request, context);
    if (!seen) return failed(look);
    if ("refused" in seen) return told(seen.refused.name, seen.refused.message, look);
    const result = await runCell(seen.code, context);
    const notice = [seen.notice, miscount(seen.rows, result), look.notice, result.notice]
      .filter(Boolean)
      .join(" ");
    const value = { ...result, notice };
    const file = files.find(({ path }) => path === found.path);
    if (file && result.kind === "dataframe") rememberColumns(context.session, file, seen.columns);
    return { message: forModel(value), value, success: result.kind === "dataframe" };
  },
});

function notFound(
  name: string,
  found: { readonly ambiguous: readonly TableHandle[] } | { readonly unknown: readonly TableHandle[] },
): ToolResult<undefined> {
  const asked = JSON.stringify(name.slice(0, 200));
  if ("ambiguous" in found) {
    const names = found.ambiguous.slice(0, MOST_NAMED).map((handle) => handle.name);
    return told(
      "AmbiguousTable",
      `${asked} could mean several tables; take one of their names.`,
      undefined,
      names,
    );
  }
  const names = found.unknown.slice(0, MOST_NAMED).map((handle) => handle.name);
  const there = names.length > 0 ? "Take one of those that there are." : "There are none yet.";
  const message = `There is no table ${asked}. ${there} Folders, links and pipes are not read.`;
  return told("UnknownTable", message, undefined, names);
}

function told(
  name: string,
  message: string,
  look?: CellResult,
  tables?: readonly string[],
): ToolResult<undefined> {
  const more = { ...(tables ? { tables } : {}), ...(look?.notice ? { notice: look.notice } : {}) };
  return { message: { kind: "error", name, message, ...more }, value: undefined, success: false };
}

/** The look itself was interrupted, ran out of memory or out of time. */
function failed(look: CellResult): ToolResult<CellResult> {
  if (look.kind === "error") return { message: forModel(look), value: look, success: false };
  const message = "The file could not be looked at. Read it with python_repl and pd.read_csv instead.";
  return { message: { kind: "error", name: "ToolFailed", message }, value: look, success: false };
}

function miscount(expected: number | null, result: CellResult): string | undefined {
  if (expected === null || result.kind !== "dataframe" || result.row_count === expected) return undefined;
  return `pandas read ${result.row_count} rows where ${expected} were counted.`;
}
