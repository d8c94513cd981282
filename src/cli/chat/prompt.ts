// keys of the terminal → what the prompt itself means by them → the rest to readline → a question of one or more lines
import { StringDecoder } from "node:string_decoder";
import type { ReadStream } from "node:tty";
import { type AskedParts, AskedQuestion } from "./asked-question.ts";
import { type Key, KeyReader } from "./keys.ts";

export interface PromptParts extends AskedParts {
  readonly input: ReadStream;
  /** What Ctrl-C means while nothing is asked for. */
  readonly onInterrupt: () => void;
}

const BRACKETED_PASTE = "\x1b[?2004";
const MOST_TYPED_AHEAD = 10_000;

/** Where questions are typed. It owns the keyboard from its opening to its end, also while an answer comes. */
export class Prompt implements Disposable {
  readonly #parts: PromptParts;
  readonly #keys = new KeyReader();
  readonly #decoder = new StringDecoder("utf8");
  #ahead = "";
  #asked: AskedQuestion | undefined;

  constructor(parts: PromptParts) {
    this.#parts = parts;
    parts.input.setRawMode(true);
    parts.input.on("data", this.#onData);
    parts.input.on("end", this.#onEnd);
    parts.input.resume();
    process.on("SIGINT", this.#onSignal);
    process.on("exit", this.#onExit);
  }

  /** The next question; undefined when the user quits. */
  async read(): Promise<string | undefined> {
    const { output } = this.#parts;
    output.write(`${BRACKETED_PASTE}h`);
    try {
      return await new Promise((resolve) => {
        this.#asked = new AskedQuestion(this.#parts, resolve);
        const ahead = this.#ahead;
        this.#ahead = "";
        if (ahead !== "") this.#take(ahead);
      });
    } finally {
      this.#asked?.close();
      this.#asked = undefined;
      output.write(`${BRACKETED_PASTE}l`);
    }
  }

  [Symbol.dispose](): void {
    const { input } = this.#parts;
    this.#asked?.close();
    process.off("SIGINT", this.#onSignal);
    process.off("exit", this.#onExit);
    input.off("data", this.#onData);
    input.off("end", this.#onEnd);
    input.pause();
    input.setRawMode(false);
  }

  /** Whatever ends us, the shell gets its terminal back as it was. */
  readonly #onExit = () => this.#parts.output.write(`${BRACKETED_PASTE}l`);
  readonly #onData = (data: Buffer) => this.#take(this.#decoder.write(data));
  readonly #onEnd = () => this.#asked?.quit();
  readonly #onSignal = () =>
    this.#asked ? this.#asked.press({ type: "interrupt" }) : this.#parts.onInterrupt();

  #take(text: string): void {
    if (!this.#asked) {
      if (text.includes("\x03")) this.#parts.onInterrupt();
      // Typed ahead of the next question; Ctrl-C takes it back.
      this.#ahead = (text.includes("\x03") ? "" : this.#ahead + text).slice(0, MOST_TYPED_AHEAD);
      return;
    }
    const keys = this.#keys.read(text);
    for (const [at, key] of keys.entries()) {
      if (key.type === "suspend") this.#suspend();
      else this.#asked.press(key);
      if (!this.#asked.done) continue;
      const later = keys.slice(at + 1).map(textOf);
      this.#ahead = this.#asked.unused + later.join("");
      return;
    }
  }

  /** As a shell expects it: the terminal as it was while we sleep, ours again afterwards. */
  #suspend(): void {
    const { input, output } = this.#parts;
    input.setRawMode(false);
    output.write(`${BRACKETED_PASTE}l`);
    process.once("SIGCONT", () => {
      input.setRawMode(true);
      output.write(`${BRACKETED_PASTE}h`);
      this.#asked?.refresh();
    });
    process.kill(process.pid, "SIGTSTP");
  }
}

/** Keys that came after the end of a question, as the terminal had sent them. */
function textOf(key: Key): string {
  if (key.type === "text") return key.text;
  if (key.type === "paste") return `\x1b[200~${key.text}\x1b[201~`;
  return { interrupt: "\x03", end: "\x04", search: "\x12", newline: "\x1b\r", suspend: "\x1a" }[key.type];
}
