import { z } from "zod";
import { type Item, textOf } from "../../protocol/items.ts";
import { lookupRole, profileRole, roleOfCall } from "./call-ids.ts";
import { withFoundValues } from "./code/lookup-cell.ts";
import { readProfile } from "./code/profile-cell.ts";
import type { Table } from "./table.ts";

export interface CallRecord {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly output: ToolOutput | undefined;
}

export interface Turn {
  readonly question: string;
  /** Whether something was told beside the question: files may be new. */
  readonly hasContext: boolean;
  readonly calls: readonly CallRecord[];
}

export interface FileEntry {
  readonly handle: string;
  readonly path: string;
  readonly columns: readonly string[];
  readonly modified: string | undefined;
}

/** A table that was loaded; its profile comes with a cell of its own. */
export interface LoadedTable {
  readonly handle: string;
  readonly df: string;
  readonly columns: readonly string[];
  readonly columnCount: number;
  readonly rows: number;
  readonly notice: string | undefined;
  /** When the file had last changed as it was loaded. */
  readonly modified: string | undefined;
  /** Texts of its first rows. */
  readonly sample: readonly string[];
  readonly profiled: Table | undefined;
}

export interface ConversationState {
  readonly turns: readonly Turn[];
  readonly files: readonly FileEntry[] | undefined;
  readonly tables: readonly LoadedTable[];
}

/** What a tool said; every field may be missing or cut. */
const ToolOutput = z.looseObject({
  kind: z.string(),
  text: z.string().optional().catch(undefined),
  stdout: z.string().optional().catch(undefined),
  json: z.unknown().optional(),
  columns: z.array(z.string()).optional().catch(undefined),
  head: z.array(z.array(z.unknown()).catch([])).optional().catch(undefined),
  row_count: z.number().optional().catch(undefined),
  meta: z
    .looseObject({ column_count: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  notice: z.string().optional().catch(undefined),
});
export type ToolOutput = z.infer<typeof ToolOutput>;

const MOST_SAMPLED = 200;

const Files = z.object({
  files: z.array(
    z
      .looseObject({
        name: z.string(),
        path: z.string(),
        modified: z.string().optional().catch(undefined),
        columns: z.array(z.string()).optional().catch(undefined),
      })
      .or(z.string()),
  ),
});

export const LIST_TOOL = "list_csv_files";
export const LOAD_TOOL = "load_csv_handle";
export const PYTHON_TOOL = "python_repl";

/** All that the analyst knows, from what was said so far. */
export function readConversation(items: readonly Item[]): ConversationState {
  const turns = readTurns(items);
  let files: readonly FileEntry[] | undefined;
  let tables: LoadedTable[] = [];
  for (const call of turns.flatMap((turn) => turn.calls)) {
    const { output } = call;
    if (!output) continue;
    tables = withoutLost(tables, output);
    if (call.name === LIST_TOOL) files = readFiles(output) ?? files;
    if (call.name === LOAD_TOOL) tables = withLoaded(tables, call, output, files);
    if (call.name === PYTHON_TOOL) tables = withLearnt(tables, call, output);
  }
  return { turns, files, tables };
}

function readTurns(items: readonly Item[]): Turn[] {
  const outputs = new Map<string, ToolOutput | undefined>();
  for (const item of items)
    if (item.type === "function_call_output") outputs.set(item.call_id, readOutput(textOf(item.output)));
  const turns: { question: string; hasContext: boolean; calls: CallRecord[] }[] = [];
  let afterUser = false;
  for (const item of items) {
    const fromUser = item.type === "message" && item.role === "user";
    const last = turns.at(-1);
    if (fromUser && afterUser && last) {
      last.question = textOf(item.content);
      last.hasContext = true;
    } else if (fromUser) turns.push({ question: textOf(item.content), hasContext: false, calls: [] });
    else if (item.type === "function_call" && last)
      last.calls.push({
        callId: item.call_id,
        name: item.name,
        arguments: readArguments(item.arguments),
        output: outputs.get(item.call_id),
      });
    afterUser = fromUser;
  }
  return turns;
}

function readOutput(text: string): ToolOutput | undefined {
  const read = ToolOutput.safeParse(parseJson(text));
  return read.success ? read.data : undefined;
}

function readArguments(text: string): Record<string, unknown> {
  const read = z.record(z.string(), z.unknown()).safeParse(parseJson(text));
  return read.success ? read.data : {};
}

function readFiles(output: ToolOutput): FileEntry[] | undefined {
  const read = Files.safeParse(output.json);
  if (!read.success) return undefined;
  return read.data.files.flatMap((file) =>
    typeof file === "string"
      ? []
      : [{ handle: file.name, path: file.path, columns: file.columns ?? [], modified: file.modified }],
  );
}

function withLoaded(
  tables: readonly LoadedTable[],
  call: CallRecord,
  output: ToolOutput,
  files: readonly FileEntry[] | undefined,
): LoadedTable[] {
  const { name: handle, df_name: df } = call.arguments;
  if (output.kind !== "dataframe" || typeof handle !== "string" || typeof df !== "string") return [...tables];
  // What was read in part is not the table that was asked about.
  if (call.arguments.columns != null || call.arguments.rows != null)
    return tables.filter((table) => table.df !== df);
  const columns = output.columns ?? [];
  const loaded: LoadedTable = {
    handle,
    df,
    columns,
    columnCount: output.meta?.column_count ?? columns.length,
    rows: output.row_count ?? 0,
    notice: output.notice,
    sample: [...new Set((output.head ?? []).flat().filter((cell) => typeof cell === "string"))].slice(
      0,
      MOST_SAMPLED,
    ),
    modified: files?.find((file) => file.handle === handle)?.modified,
    profiled: undefined,
  };
  return [...tables.filter((table) => table.df !== df && table.handle !== handle), loaded];
}

function withLearnt(tables: readonly LoadedTable[], call: CallRecord, output: ToolOutput): LoadedTable[] {
  const role = roleOfCall(call.callId);
  return tables.map((table) => {
    if (role === profileRole(table.df)) {
      const profile = readProfile(output.text ?? output.stdout ?? "");
      if (!profile) return table;
      const { handle, df, notice } = table;
      return {
        ...table,
        rows: profile.rows,
        columnCount: profile.columnCount,
        profiled: { handle, df, notice, ...profile },
      };
    }
    if (role === lookupRole(table.df) && table.profiled)
      return { ...table, profiled: withFoundValues(table.profiled, output.json) };
    return table;
  });
}

/** A sandbox that began anew has the files and no variables. */
function withoutLost(tables: readonly LoadedTable[], output: ToolOutput): LoadedTable[] {
  if (/variables are lost/.test(output.notice ?? "")) return [];
  const name =
    output.kind === "error" && output.name === "NameError"
      ? /name '([^']+)' is not defined/.exec(output.message ?? "")?.[1]
      : undefined;
  return tables.filter(({ df }) => df !== name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
