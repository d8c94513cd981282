import type { WriteStream } from "node:tty";
import { characterWidth } from "../../src/cli/display-width.ts";
import { type Cursor, Output, type Terminal } from "../../src/cli/terminal.ts";

/** A small terminal: what stands on its lines after all that was written, and what would have been dangerous. */
export class Screen {
  readonly #columns: number;
  readonly #rows: number;
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  /** The first line that is still on the screen: above it nothing can be changed any more. */
  #top = 0;
  readonly links: string[] = [];
  /** Everything that is neither text, colour, link, nor a move that we make ourselves. */
  readonly strange: string[] = [];

  constructor(columns: number, rows = 40) {
    this.#columns = columns;
    this.#rows = rows;
  }

  get lines(): string[] {
    const lines = this.#lines.map((cells) =>
      Array.from(cells, (cell) => cell ?? " ")
        .join("")
        .trimEnd(),
    );
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  get text(): string {
    return this.lines.join("\n");
  }

  write(text: string): void {
    for (const [, csi, link, character] of text.matchAll(tokens)) {
      if (csi !== undefined) this.#control(csi);
      else if (link !== undefined) this.#link(link);
      else if (character !== undefined) this.#put(character);
    }
  }

  #put(character: string): void {
    if (character === "\n") {
      this.#newLine();
      this.#column = 0;
    } else if (character === "\r") this.#column = 0;
    else if (/\p{Cc}/u.test(character)) this.strange.push(JSON.stringify(character));
    else {
      const width = characterWidth(character);
      if (this.#column + width > this.#columns) {
        this.#newLine();
        this.#column = 0;
      }
      const line = this.#lines[this.#row] as string[];
      if (width === 0) line[Math.max(0, this.#column - 1)] += character;
      else line[this.#column] = character;
      if (width === 2) line[this.#column + 1] = "";
      this.#column += width;
    }
  }

  #newLine(): void {
    this.#row += 1;
    this.#lines[this.#row] ??= [];
    this.#top = Math.max(this.#top, this.#row - this.#rows + 1);
  }

  #control(csi: string): void {
    const count = Number.parseInt(csi.slice(1), 10) || 1;
    const kind = csi.at(-1);
    if (kind === "m" || /^\[\?2004[hl]$/.test(csi)) return;
    if (kind === "A") this.#row = Math.max(this.#top, this.#row - count);
    else if (kind === "B") for (let step = 0; step < count; step++) this.#newLine();
    else if (kind === "C") this.#column += count;
    else if (kind === "D") this.#column = Math.max(0, this.#column - count);
    else if (kind === "G") this.#column = count - 1;
    else if (/^\[0?[JK]$/.test(csi)) {
      (this.#lines[this.#row] as string[]).length = Math.min(
        this.#column,
        this.#lines[this.#row]?.length ?? 0,
      );
      if (kind === "J") this.#lines.length = this.#row + 1;
    } else this.strange.push(csi);
  }

  #link(sequence: string): void {
    if (!sequence.startsWith("]8;;")) this.strange.push(sequence);
    else if (sequence !== "]8;;") this.links.push(sequence.slice("]8;;".length));
  }
}

const ESCAPE = "\x1b";
const tokens = new RegExp(
  `${ESCAPE}(\\[[0-9;:?]*[A-Za-z])|${ESCAPE}(\\][^${ESCAPE}\x07]*)(?:${ESCAPE}\\\\|\x07)|(.)`,
  "gsu",
);

export interface RecordedTerminal {
  readonly terminal: Terminal;
  /** What the screen shows of both streams. */
  readonly screen: Screen;
  /** What was written to each, byte for byte. */
  readonly written: { readonly stdout: string; readonly stderr: string };
}

export interface TerminalKind {
  readonly columns?: number;
  readonly rows?: number;
  readonly stdout?: "terminal" | "pipe";
  readonly stderr?: "terminal" | "pipe";
  readonly colour?: boolean;
}

/** A terminal whose every byte is kept. */
export function recordedTerminal(kind: TerminalKind = {}): RecordedTerminal {
  const { columns = 80, rows = 40, colour = true } = kind;
  const screen = new Screen(columns, rows);
  const written = { stdout: "", stderr: "" };
  const shared: Cursor = { midLine: false };
  const open = (name: "stdout" | "stderr") => {
    const isTTY = (kind[name] ?? "terminal") === "terminal";
    const stream = {
      isTTY,
      columns,
      rows,
      writable: true,
      write(text: string) {
        written[name] += text;
        if (isTTY) screen.write(text);
        return true;
      },
    } as unknown as WriteStream;
    return new Output(stream, isTTY ? shared : { midLine: false }, { colour: colour && isTTY });
  };
  const terminal = { stdout: open("stdout"), stderr: open("stderr"), onReaderGone: () => {} };
  return { terminal, screen, written };
}
