import { ANALYSES } from "./analyses/all.ts";
import type { FileEntry, ToolOutput } from "./conversation-state.ts";
import { bullets, code, listed, paragraphs, plain } from "./markdown.ts";
import { counted } from "./numbers.ts";
import type { Table } from "./table.ts";
import type { Frame } from "./understanding/frame.ts";

/** The last line of every answer. */
export const SIGNATURE =
  "*Answered by the offline analyst: built-in rules, no language model. For one that understands any question, use `--model openai/…` or set `GLOVEBOX_MODEL`.*";

export interface Closing {
  readonly answer: string;
  readonly table?: Table;
  /** How many tables there were to choose from. */
  readonly tables?: number;
  readonly frame?: Frame;
}

/** An answer with what a reader should know besides: the table it is about, and words that were left aside. */
export function closed({ answer, table, tables = 1, frame }: Closing): string {
  const aside = frame?.unknown.map(({ text }) => plain(text)) ?? [];
  return paragraphs(
    answer,
    [
      tables > 1 && table ? `This is about the table ${code(table.handle)}, one of ${tables}.` : "",
      table && table.columns.length < table.columnCount
        ? `The table has ${table.columnCount} columns; I looked at ${table.columns.length} of them.`
        : "",
      aside.length > 0
        ? `I did not use the ${aside.length === 1 ? "word" : "words"} ${listed([...new Set(aside)].slice(0, 6).map((word) => `“${word}”`))}.`
        : "",
    ]
      .filter(Boolean)
      .join(" "),
    SIGNATURE,
  );
}

export function noTables(): string {
  return paragraphs(
    "There is no table here yet, so I have nothing to look at. Give one, and ask again:",
    '```sh\nglovebox ask data.csv "What is in here?"\n```',
    "CSV, TSV, Parquet, Excel and JSON files will do, also compressed ones.",
    SIGNATURE,
  );
}

export function notUnderstood(table: Table, why?: string): string {
  return paragraphs(
    why ?? "I did not understand that question.",
    `The table ${code(table.handle)} has ${counted(table.columnCount, "column")}: ${table.columns
      .slice(0, 20)
      .map(({ name }) => code(name))
      .join(", ")}${table.columnCount > 20 ? " …" : ""}. I can answer questions such as:`,
    bullets(examples(table).map((question) => plain(question, 160))),
    SIGNATURE,
  );
}

export function help(table: Table | undefined): string {
  return paragraphs(
    "I am the offline analyst of Glovebox: I answer common questions about a table by running pandas, SciPy and scikit-learn in the session, and show the numbers and a chart. I know describing a table, factors, influence, correlations, rankings, averages and totals by group, shares, trends, distributions, comparisons, outliers, missing values and duplicates.",
    table &&
      paragraphs(
        `With ${code(table.handle)} you could ask:`,
        bullets(examples(table).map((question) => plain(question, 160))),
      ),
    SIGNATURE,
  );
}

/** One question for each analysis that suits the table. */
export function examples(table: Table, most = 8): string[] {
  return ANALYSES.flatMap((analysis) => analysis.example(table) ?? []).slice(0, most);
}

export function failedCell(output: ToolOutput | undefined, doing: string): string {
  if (!output) return paragraphs(`I could not ${doing}: the tool gave no answer that I can read.`, SIGNATURE);
  const name = output.name ? `${plain(output.name)}: ` : "";
  const hint = HINTS.find(([pattern]) =>
    pattern.test(`${output.name} ${output.message} ${output.notice ?? ""}`),
  )?.[1];
  return paragraphs(
    `I could not ${doing}. The session said: ${name}${plain(output.message ?? "no reason", 300)}`,
    output.notice ? plain(output.notice, 300) : undefined,
    hint ?? "I do not try the same again. Ask in another way, or about fewer columns.",
    SIGNATURE,
  );
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /memory/i,
    "The table is too large for the session's memory: ask about fewer columns, or give the session more with `--memory 4g`.",
  ],
  [
    /time ?(?:out|limit)|interrupt/i,
    "It took too long: ask about fewer columns or rows, or give cells more time with `--timeout`.",
  ],
];

export function notLoaded(
  files: readonly FileEntry[],
  failures: readonly { handle: string; output: ToolOutput | undefined }[],
): string {
  const lines = failures.map(
    ({ handle, output }) => `${code(handle)}: ${plain(output?.message ?? "no reason was given", 300)}`,
  );
  return paragraphs(
    failures.length === 1 ? "I could not read the table:" : "I could not read the tables:",
    bullets(lines),
    files.length > failures.length
      ? `There are others: ${files
          .filter(({ handle }) => !failures.some((failure) => failure.handle === handle))
          .slice(0, 10)
          .map(({ handle }) => code(handle))
          .join(", ")}. Name one of them in your question.`
      : undefined,
    SIGNATURE,
  );
}

export function withoutTool(name: string): string {
  return paragraphs(
    `I need the tool ${code(name)} to work with tables, and it is not offered here.`,
    SIGNATURE,
  );
}

export function tooManyCalls(): string {
  return paragraphs(
    "I have used up the calls I allow myself for one question and have no answer. Ask about one table and fewer columns.",
    SIGNATURE,
  );
}
