import type { WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { type Paint, painter, wantsColour } from "./colour.ts";
import { exitStatus } from "./exit-status.ts";

const WIDTH_WITHOUT_TERMINAL = 120;
const HEIGHT_WITHOUT_TERMINAL = 24;

/** Where on its line the cursor is, and what has to be wiped before anything else is written. */
export interface Cursor {
  midLine: boolean;
  wipe?: (() => void) | undefined;
}

export class Output {
  readonly colour: boolean;
  readonly paint: Paint;
  readonly isTerminal: boolean;
  /** Whether the cursor can be moved back over what was written. */
  readonly canRedraw: boolean;
  readonly #stream: WriteStream;
  readonly #cursor: Cursor;

  constructor(stream: WriteStream, cursor: Cursor, options: { colour: boolean }) {
    this.#stream = stream;
    this.#cursor = cursor;
    this.isTerminal = stream.isTTY === true;
    this.canRedraw = this.isTerminal && process.env.TERM !== "dumb";
    this.colour = options.colour;
    this.paint = painter(options.colour);
  }

  get columns(): number {
    const asked = Number(process.env.COLUMNS);
    return this.#stream.columns || (asked > 0 ? asked : WIDTH_WITHOUT_TERMINAL);
  }

  get rows(): number {
    return this.#stream.rows || HEIGHT_WITHOUT_TERMINAL;
  }

  /** Whether what is written here and there lands on the same screen. */
  sharesScreenWith(other: Output): boolean {
    return this.#cursor === other.#cursor;
  }

  write(text: string): void {
    if (text === "") return;
    this.#cursor.wipe?.();
    this.#put(text);
    const written = stripVTControlCharacters(text);
    if (written !== "") this.#cursor.midLine = !written.endsWith("\n");
  }

  /** Ends an unfinished line, whoever began it. */
  startLine(): void {
    if (this.#cursor.midLine) this.write("\n");
  }

  line(text: string): void {
    this.startLine();
    this.write(`${text}\n`);
  }

  /** A line that is not there to stay: `wipe` is called before anything else is written. */
  transient(text: string, wipe: (() => void) | undefined): void {
    this.#put(text);
    this.#cursor.wipe = wipe;
  }

  #put(text: string): void {
    if (this.#stream.writable) this.#stream.write(text);
  }
}

export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Called when the reader of stdout is gone. */
  onReaderGone: () => void;
}

export function openTerminal(options: { noColour: boolean }): Terminal {
  const { env } = process;
  const ofStdout: Cursor = { midLine: false };
  const oneScreen = process.stdout.isTTY && process.stderr.isTTY;
  const ofStderr = oneScreen ? ofStdout : { midLine: false };
  const open = (stream: WriteStream, cursor: Cursor) =>
    new Output(stream, cursor, { colour: wantsColour({ ...options, env, isTerminal: stream.isTTY }) });
  const terminal: Terminal = {
    stdout: open(process.stdout, ofStdout),
    stderr: open(process.stderr, ofStderr),
    onReaderGone: () => process.exit(exitStatus.brokenPipe),
  };
  process.stdout.on("error", () => terminal.onReaderGone());
  process.stderr.on("error", () => {});
  return terminal;
}
