import type { Token, Tokens } from "marked";
import type { TurnResult } from "../agent/agent.ts";
import { GloveboxError } from "../errors.ts";
import type { PythonResult } from "../protocol/result.ts";
import type { Session } from "../session/session.ts";

type Frame = Extract<PythonResult, { kind: "dataframe" }>;

const FILE = "/mnt/data/.glovebox-table.csv";
// The value of the last cell; polars and Arrow have their own words for it.
const WRITE_LAST_VALUE = `(lambda table: table.write_csv(${JSON.stringify(FILE)}) if hasattr(table, "write_csv") else (table.to_pandas() if hasattr(table, "to_pandas") else table).to_csv(${JSON.stringify(FILE)}, index=%INDEX%))(_)`;

/** The table that a turn came to, all of its rows: the last cell's value, or the answer's own, or the last one there was. */
export async function* tableAsCsv(
  turn: TurnResult,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const at = turn.cells.findLastIndex(({ result }) => result.kind === "dataframe");
  const frame = turn.cells[at]?.result;
  const said = at === turn.cells.length - 1 ? undefined : await tableInAnswer(turn.answer);
  if (said) {
    yield linesOf(said);
    return;
  }
  if (frame?.kind !== "dataframe") {
    throw new GloveboxError("tool", "The answer came without a table; leave out --format csv to read it.");
  }
  if (isWhole(frame)) {
    yield csvOf(frame);
    return;
  }
  if (at !== turn.cells.length - 1) throw cut(frame);
  const code = WRITE_LAST_VALUE.replace("%INDEX%", frame.meta.index ? "True" : "False");
  const written = await session.run(code, { signal });
  if (written.kind === "error") throw cut(frame);
  const decoder = new TextDecoder();
  for await (const part of session.files.read(FILE)) yield decoder.decode(part, { stream: true });
  await session.files.remove(FILE);
}

function isWhole(frame: Frame): boolean {
  const columns = frame.meta.column_count ?? frame.columns.length;
  return frame.head.length === frame.row_count && columns === frame.columns.length;
}

function csvOf(frame: Frame): string {
  const index = frame.meta.index;
  const rows = frame.head.map((row, at) => (index ? [index[at], ...row] : row));
  return linesOf([index ? ["", ...frame.columns] : frame.columns, ...rows]);
}

function linesOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("");
}

async function tableInAnswer(answer: string): Promise<string[][] | undefined> {
  const { marked } = await import("marked");
  const table = marked.lexer(answer).find((token): token is Tokens.Table => token.type === "table");
  return (
    table && [table.header, ...table.rows].map((row) => row.map(({ tokens }) => plainValue(wordsOf(tokens))))
  );
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      "tokens" in token && token.tokens ? wordsOf(token.tokens) : "text" in token ? token.text : "",
    )
    .join("");
}

/** A number as programs write it; anything else as it is. */
function plainValue(text: string): string {
  const number = /^[−-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/.test(text);
  return number ? text.replaceAll(",", "").replace("−", "-") : text;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cut(frame: Frame): GloveboxError {
  const rows = frame.row_count.toLocaleString("en-US");
  return new GloveboxError(
    "tool",
    `The table has ${rows} rows and cannot be written whole; ask for it to be saved as a CSV file instead.`,
  );
}
