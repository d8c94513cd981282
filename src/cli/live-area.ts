import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "./display-width.ts";
import { clipStyled } from "./styled-lines.ts";
import type { Output } from "./terminal.ts";

const FEWEST_ROWS = 3;

/** The last lines of the screen, redrawn in place while something happens and gone without a trace afterwards. */
export class LiveArea {
  readonly #output: Output;
  #shown: readonly string[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** What is drawn never fills the screen, so nothing of it scrolls off. */
  get room(): number {
    return Math.max(FEWEST_ROWS, this.#output.rows - 2);
  }

  draw(lines: readonly string[]): void {
    const { columns } = this.#output;
    const fitted = lines.slice(-this.room).map((line) => clipStyled(line, columns - 1));
    if (fitted.length === this.#shown.length && fitted.every((line, at) => line === this.#shown[at])) return;
    this.#output.startLine();
    const before = this.#eraser();
    this.#shown = fitted;
    if (fitted.length === 0 && before === "") return;
    this.#output.transient(before + fitted.join("\n"), fitted.length > 0 ? () => this.clear() : undefined);
  }

  clear(): void {
    const eraser = this.#eraser();
    this.#shown = [];
    if (eraser !== "") this.#output.transient(eraser, undefined);
  }

  /** A terminal that became narrower has broken the lines anew. */
  #eraser(): string {
    if (this.#shown.length === 0) return "";
    const { columns } = this.#output;
    const rows = this.#shown.reduce(
      (sum, line) =>
        sum + Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / Math.max(1, columns))),
      0,
    );
    return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ""}\x1b[J`;
  }
}
