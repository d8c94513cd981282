import { PythonResult } from "../../protocol/result.ts";
import { endedWell } from "../cell-view.ts";
import { SafeText } from "../safe-text.ts";
import { wrapStyled } from "../styled-lines.ts";
import { formatTable } from "../table.ts";
import type { Output } from "../terminal.ts";
import { wrapWords } from "../word-wrap.ts";
import { fold } from "./fold.ts";

const VALUE_FOLD = { head: 16, tail: 4 };
const INDENT = "  ";

export interface ResultOptions {
  /** Whether it is a cell's; what other tools answer is shown only where people have use for it. */
  readonly ofCell: boolean;
  readonly interrupted: boolean;
}

/** What a call came to: a table, a value, what went wrong, and what was said about it. */
export function resultLines(result: PythonResult, output: Output, options: ResultOptions): string[] {
  const columns = output.columns - INDENT.length - 1;
  const { paint } = output;
  const lines: string[] = [];
  if (result.kind === "dataframe") lines.push(...indented(formatTable(result, { columns, paint }), columns));
  if (result.kind === "object" && options.ofCell) {
    lines.push(...folded(indented(SafeText.whole(result.repr), columns), output));
  }
  if (result.kind === "error" && !endedWell(result) && !options.interrupted) {
    lines.push(...errorLines(result, output, columns));
  }
  if (result.notice) {
    const words = wrapWords(SafeText.whole(result.notice), columns);
    lines.push(...words.map((line) => paint("dim", INDENT + line)));
  }
  return lines;
}

/** What tools without a cell answer is read as a result, where it is one. */
export function readResult(output: string): PythonResult | undefined {
  try {
    const value = JSON.parse(output) as { kind?: unknown };
    const whole = value.kind === "error" ? { traceback: "", ...value } : value;
    return PythonResult.safeParse(whole).data;
  } catch {
    return undefined;
  }
}

function errorLines(
  result: Extract<PythonResult, { kind: "error" }>,
  output: Output,
  columns: number,
): string[] {
  const text = SafeText.whole(result.traceback || `${result.name}: ${result.message}`).trimEnd();
  const last = text.lastIndexOf("\n") + 1;
  const frames = last > 0 ? folded(indented(text.slice(0, last - 1), columns), output) : [];
  return [...frames, ...indented(text.slice(last), columns).map((line) => output.paint("red", line))];
}

function indented(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapStyled(line, columns).map((row) => INDENT + row));
}

function folded(lines: readonly string[], output: Output): string[] {
  return fold(lines, VALUE_FOLD, (missing) => output.paint("dim", `${INDENT}… ${missing}`));
}
