import { relinkMarkdown } from "../markdown/links.ts";
import { MarkdownStream, renderMarkdown } from "../markdown/markdown-stream.ts";
import type { Writing } from "../markdown/writing.ts";
import { SafeText } from "../safe-text.ts";
import type { Output, Terminal } from "../terminal.ts";
import type { TurnLook } from "./turn-look.ts";

const WIDEST_PROSE = 100;

/**
 * What the model says. On a terminal it is written while it comes; elsewhere only the answer goes to stdout, as
 * the Markdown it is, and what was said on the way to it goes to stderr.
 */
export class AnswerText {
  readonly #terminal: Terminal;
  readonly #look: TurnLook;
  readonly #stream: MarkdownStream;
  #said = "";

  constructor(terminal: Terminal, look: TurnLook) {
    this.#terminal = terminal;
    this.#look = look;
    this.#stream = new MarkdownStream(() => this.#writing(terminal.stdout));
  }

  get said(): string {
    return this.#said;
  }

  get tail(): string[] {
    return this.#terminal.stdout.isTerminal ? this.#stream.tail() : [];
  }

  take(text: string): void {
    this.#said += text;
    if (this.#terminal.stdout.isTerminal) this.#write(this.#stream.push(text));
  }

  /** A call follows: what was said led to it and is not the answer. */
  endAside(): void {
    const { stdout, stderr } = this.#terminal;
    if (stdout.isTerminal) this.#write(this.#stream.end());
    else for (const line of renderMarkdown(this.#said, this.#writing(stderr))) stderr.line(line);
    this.#said = "";
  }

  /** The answer, as far as it was not written already. */
  finish(answer: string): void {
    const { stdout } = this.#terminal;
    if (!stdout.isTerminal) {
      this.#said = "";
      const text = relinkMarkdown(SafeText.whole(answer.trim().replace(/\r\n?/g, "\n")), this.#look.locate);
      if (text !== "") stdout.line(text);
      return;
    }
    if (answer.startsWith(this.#said)) this.take(answer.slice(this.#said.length));
    else if (withoutSpace(answer) !== withoutSpace(this.#said)) {
      this.#write(this.#stream.end());
      this.take(answer);
    }
    this.#write(this.#stream.end());
    this.#said = "";
  }

  #write(lines: readonly string[]): void {
    for (const line of lines) this.#terminal.stdout.line(line);
  }

  #writing(output: Output): Writing {
    const { highlight, locate } = this.#look;
    return {
      columns: Math.min(output.columns - 1, WIDEST_PROSE),
      colour: output.colour,
      paint: output.paint,
      links: output.canRedraw && output.colour,
      highlight,
      locate,
    };
  }
}

/** A model's parts may be put together with other spaces than they were streamed with. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
