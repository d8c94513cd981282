import type { AgentEvent } from "../../protocol/events.ts";
import type { CellResult, PythonResult } from "../../protocol/result.ts";
import { clipToWidth, displayWidth } from "../display-width.ts";
import { countOf, secondsInWords } from "../quantities.ts";
import { oneLine, SafeText } from "../safe-text.ts";
import { wrapStyled } from "../styled-lines.ts";
import type { Output } from "../terminal.ts";
import { fold } from "./fold.ts";
import { type PrintedLine, PrintedLines } from "./printed-lines.ts";
import { readResult, resultLines } from "./result-lines.ts";
import type { TurnLook } from "./turn-look.ts";

const CODE_FOLD = { head: 8, tail: 3 };
const LIVE_CODE_LINES = 6;
const PRINTED_FOLD = { head: 12, tail: 8 };
const LIVE_PRINTED_LINES = 8;
const NOTHING_PRINTED = "Code executed. No return value.";
const INDENT = "  ";
const NARROWEST_TITLE = 8;

type State = "writing" | "running" | "well" | "failed" | "stopped";

/** One call of a tool as a person sees it: a line that says what it is for and how it went, and what came of it. */
export class CallView {
  readonly callId: string;
  readonly startedAt: number;
  readonly #look: TurnLook;
  readonly #output: Output;
  readonly #printed: PrintedLines;
  #tool: string;
  #intent: string | undefined;
  #code = "";
  #state: State = "writing";
  #endedAt: number | undefined;
  #result: PythonResult | undefined;
  #cell: CellResult | undefined;
  #outputPath: string | undefined;
  #said = 0;

  constructor(callId: string, tool: string, look: TurnLook, output: Output) {
    this.callId = callId;
    this.#tool = tool;
    this.#look = look;
    this.#output = output;
    this.startedAt = look.now();
    this.#printed = new PrintedLines({ colour: output.colour, ...PRINTED_FOLD });
  }

  get cell(): CellResult | undefined {
    return this.#cell;
  }

  get ended(): boolean {
    return this.#endedAt !== undefined;
  }

  take(event: AgentEvent): void {
    if (event.type === "code-delta") this.#code += event.text;
    if (event.type === "stdout-delta") this.#printed.take("stdout", event.text);
    if (event.type === "stderr-delta") this.#printed.take("stderr", event.text);
    if (event.type === "tool-start") {
      this.#tool = event.tool;
      this.#intent = event.intent;
      this.#code = event.code ?? "";
      this.#state = "running";
    }
    if (event.type === "cell-end") this.#finishCell(event.result, event.turn);
    if (event.type === "tool-end") this.#end(event.success ? "well" : "failed", event.output);
  }

  /** The turn was stopped before the call had ended. */
  stop(): void {
    if (!this.ended) this.#end("stopped");
  }

  /** How it looks now, for lines that are redrawn in place. */
  live(frame: string): string[] {
    const state = this.#state === "writing" ? "writing" : "running";
    const code = this.#look.code === "hide" ? [] : this.#codeRows(this.#codeLines()).slice(-LIVE_CODE_LINES);
    const { head, tail } = this.#printed.lines;
    const printed = [...head, ...tail].slice(-LIVE_PRINTED_LINES);
    return [
      this.#headed(frame, ` · ${state} · ${this.#seconds()}`),
      ...code,
      ...printed.flatMap((line) => this.#printedRows(line).slice(-1)),
    ];
  }

  /** All of it, for good. */
  final(): string[] {
    return [this.#outcome(), ...this.#foldedCode(), ...this.#allPrinted(), ...this.#value()];
  }

  /** The same where nothing can be redrawn: what is new since it was asked last, the outcome at the end. */
  news(): string[] {
    if (this.#state === "writing" && !this.ended) return [];
    const lines = [this.#headed("▸", ""), ...this.#foldedCode()];
    if (this.ended) lines.push(...this.#allPrinted(), ...this.#value(), this.#outcome());
    else lines.push(...this.#printed.lines.head.flatMap((line) => this.#printedRows(line)));
    const fresh = lines.slice(this.#said);
    this.#said = lines.length;
    return fresh;
  }

  #finishCell(result: CellResult, turn: string): void {
    this.#cell = result;
    this.#result = result;
    const text = result.kind === "text" ? result.text : (result.stdout ?? "");
    const nothing = text === NOTHING_PRINTED && this.#printed.taken === 0;
    this.#printed.finish("stdout", nothing ? "" : text);
    this.#printed.finish("stderr", result.stderr ?? "");
    if (this.#printed.lines.missing > 0)
      this.#outputPath = this.#look.keepOutput(text, { turn, cell: result.cell });
  }

  #end(state: State, output = ""): void {
    this.#endedAt = this.#look.now();
    this.#result ??= readResult(output);
    this.#state = this.#wasInterrupted() ? "stopped" : state;
  }

  #wasInterrupted(): boolean {
    return this.#cell?.kind === "error" && this.#cell.name === "KeyboardInterrupt";
  }

  /** One line, whatever the intent: the mark, what it is for, how it stands. */
  #headed(mark: string, state: string): string {
    const firstLine = this.#code.split("\n").find((line) => line.trim() !== "") ?? "";
    const fallback = firstLine.replace(/^\s*#+\s*/, "") || (this.#state === "writing" ? "Code" : this.#tool);
    const room = Math.max(NARROWEST_TITLE, this.#output.columns - displayWidth(state) - 3);
    const title = clipToWidth(oneLine((this.#intent || fallback).trim()), room);
    return `${mark} ${this.#output.paint("bold", title)}${this.#dim(state)}`;
  }

  #outcome(): string {
    const { paint } = this.#output;
    const marks = { well: paint("green", "✓"), failed: paint("red", "✗"), stopped: paint("yellow", "■") };
    const why = this.#result?.kind === "error" ? ` · ${oneLine(this.#result.name)}` : "";
    const state =
      this.#state === "failed" ? ` · failed${why}` : this.#state === "stopped" ? " · stopped" : "";
    const mark = marks[this.#state as keyof typeof marks] ?? "▸";
    return this.#headed(mark, `${state} · ${this.#seconds()}`);
  }

  #seconds(): string {
    return secondsInWords((this.#endedAt ?? this.#look.now()) - this.startedAt);
  }

  /** Line by line, in colours. */
  #codeLines(): string[] {
    const safe = SafeText.whole(this.#code.replace(/\r\n?/g, "\n").trimEnd());
    return safe === "" ? [] : this.#look.highlight(safe, "python", this.#output.paint).split("\n");
  }

  #codeRows(lines: readonly string[]): string[] {
    return lines.flatMap((line) => wrapStyled(line, this.#output.columns - 5).map((row) => `    ${row}`));
  }

  #foldedCode(): string[] {
    if (this.#look.code === "hide") return [];
    const lines = this.#codeLines();
    if (this.#look.code === "show") return this.#codeRows(lines);
    return this.#codeRows(
      fold(lines, CODE_FOLD, (missing) => this.#dim(`… ${missing} (--show-code shows all)`)),
    );
  }

  #allPrinted(): string[] {
    const { head, missing, tail } = this.#printed.lines;
    const rows = (lines: readonly PrintedLine[]) => lines.flatMap((line) => this.#printedRows(line));
    if (missing === 0) return [...rows(head), ...rows(tail)];
    const where = this.#outputPath ? `: ${oneLine(this.#outputPath)}` : "";
    const words = this.#dim(`${INDENT}┆ … ${countOf(missing, "more line")}${where}`);
    return [...rows(head), words, ...rows(tail)];
  }

  #printedRows({ stream, text }: PrintedLine): string[] {
    const bar = this.#output.paint(stream === "stdout" ? "dim" : "yellow", stream === "stdout" ? "│" : "┃");
    return wrapStyled(text, this.#output.columns - 5).map((row) => `${INDENT}${bar} ${row}`);
  }

  #value(): string[] {
    if (!this.#result) return [];
    const ofCell = this.#cell !== undefined;
    return resultLines(this.#result, this.#output, { ofCell, interrupted: this.#wasInterrupted() });
  }

  #dim(text: string): string {
    return this.#output.paint("dim", text);
  }
}
