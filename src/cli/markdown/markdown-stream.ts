import { marked, type Token } from "marked";
import { SafeText } from "../safe-text.ts";
import { wrapStyled } from "../styled-lines.ts";
import { blockLines } from "./blocks.ts";
import type { Writing } from "./writing.ts";

// A longer block is looked at only where one could end, or the time would grow with the square of its length.
const EVERY_LINE_UP_TO = 200;
const couldEnd = /^\s*(?:$|```|~~~)/;

/**
 * Markdown while it is being written. A block is finished when a whole line of the next one has come, so that
 * what comes out does not depend on how the text was cut.
 */
export class MarkdownStream {
  readonly #writing: () => Writing;
  #held = "";
  #open: string[] = [];
  #begun = false;

  constructor(writing: () => Writing) {
    this.#writing = writing;
  }

  /** Lines that are finished by this part of the text, ready to be written for good. */
  push(text: string): string[] {
    const whole = this.#held + text;
    // A carriage return at the end may be half of a line end.
    const cut = whole.endsWith("\r") ? whole.length - 1 : whole.length;
    const parts = whole.slice(0, cut).split(/\r\n|\r|\n/);
    this.#held = (parts.pop() ?? "") + whole.slice(cut);
    return parts.flatMap((line) => this.#takeLine(line));
  }

  /** The block that is not finished, as plain lines. */
  tail(): string[] {
    const { columns } = this.#writing();
    const unfinished = this.#held === "" ? this.#open : [...this.#open, this.#held];
    return unfinished.flatMap((line) => wrapStyled(SafeText.whole(line.replaceAll("\r", "")), columns));
  }

  end(): string[] {
    if (this.#held !== "") this.#open.push(this.#held.replace(/\r$/, ""));
    const tokens = lex(this.#open.join("\n"));
    this.#held = "";
    this.#open = [];
    const written = this.#write(tokens);
    this.#begun = false;
    return written;
  }

  #takeLine(line: string): string[] {
    this.#open.push(line);
    if (this.#open.length > EVERY_LINE_UP_TO && !couldEnd.test(line)) return [];
    const tokens = lex(`${this.#open.join("\n")}\n`);
    const last = tokens.findLastIndex((token) => token.type !== "space");
    if (last <= 0) return [];
    const finished = tokens.slice(0, last);
    const rest = tokens
      .slice(last)
      .map((token) => token.raw)
      .join("");
    this.#open = rest.replace(/\n$/, "").split("\n");
    return this.#write(finished);
  }

  #write(tokens: readonly Token[]): string[] {
    const lines = blockLines(tokens, this.#writing());
    if (lines.length === 0) return [];
    const apart = this.#begun ? [""] : [];
    this.#begun = true;
    return [...apart, ...lines];
  }
}

export function renderMarkdown(text: string, writing: Writing): string[] {
  const stream = new MarkdownStream(() => writing);
  return [...stream.push(text), ...stream.end()];
}

/** What the parser gives up on is shown as it is. */
function lex(text: string): Token[] {
  try {
    return marked.lexer(text, { gfm: true });
  } catch {
    return [{ type: "html", raw: text, text, pre: false, block: true }];
  }
}
