import { SafeText } from "../safe-text.ts";

export interface PrintedLine {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export interface Printed {
  readonly head: readonly PrintedLine[];
  readonly missing: number;
  readonly tail: readonly PrintedLine[];
}

const LONGEST_LINE = 8192;

/** What a cell prints, line by line: the first ones and the last ones, and how many were between them. */
export class PrintedLines {
  readonly #most: { readonly head: number; readonly tail: number };
  readonly #streams: Record<"stdout" | "stderr", { safe: SafeText; open: string; taken: number }>;
  readonly #head: PrintedLine[] = [];
  #tail: PrintedLine[] = [];
  #dropped = 0;

  constructor(options: { readonly colour: boolean; readonly head: number; readonly tail: number }) {
    this.#most = options;
    const stream = () => ({ safe: new SafeText(options), open: "", taken: 0 });
    this.#streams = { stdout: stream(), stderr: stream() };
  }

  take(name: "stdout" | "stderr", text: string): void {
    const stream = this.#streams[name];
    stream.taken += text.length;
    this.#add(name, stream.safe.take(text));
  }

  /** Output beyond a bound is not streamed; the cut rest comes with the result. */
  finish(name: "stdout" | "stderr", whole: string): void {
    const stream = this.#streams[name];
    this.#add(name, stream.safe.take(whole.slice(stream.taken)) + stream.safe.end());
    if (stream.open !== "") this.#push({ stream: name, text: overwritten(stream.open) });
    stream.open = "";
  }

  get taken(): number {
    return this.#streams.stdout.taken;
  }

  get lines(): Printed {
    const open = (["stdout", "stderr"] as const)
      .map((stream) => ({ stream, text: overwritten(this.#streams[stream].open) }))
      .filter(({ text }) => text !== "");
    const after = [...this.#tail, ...open];
    const tail = after.slice(-this.#most.tail);
    return { head: this.#head, missing: this.#dropped + after.length - tail.length, tail };
  }

  #add(name: "stdout" | "stderr", text: string): void {
    const stream = this.#streams[name];
    const parts = (stream.open + text).split("\n");
    stream.open = parts.pop() ?? "";
    for (const part of parts) this.#push({ stream: name, text: overwritten(part) });
    if (stream.open.length > LONGEST_LINE) {
      const cut = stream.open.lastIndexOf("\r");
      if (cut >= 0) stream.open = stream.open.slice(cut);
      else {
        this.#push({ stream: name, text: stream.open });
        stream.open = "";
      }
    }
  }

  #push(line: PrintedLine): void {
    if (this.#head.length < this.#most.head) {
      this.#head.push(line);
      return;
    }
    this.#tail.push(line);
    if (this.#tail.length < 2 * this.#most.tail) return;
    this.#dropped += this.#tail.length - this.#most.tail;
    this.#tail = this.#tail.slice(-this.#most.tail);
  }
}

/** A carriage return goes back to the start of the line: what was written last is what is seen. */
function overwritten(line: string): string {
  return line.split("\r").findLast((part) => part !== "") ?? "";
}
