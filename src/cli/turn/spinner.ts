import { frames } from "../progress.ts";
import { secondsInWords } from "../quantities.ts";
import { oneLine } from "../safe-text.ts";
import type { Output } from "../terminal.ts";

const PATIENCE_MS = 300;
const FRAME_MS = 100;

/** What is being done now, and for how long. Nothing is said about what is quickly done. */
export class Spinner {
  readonly #now: () => number;
  readonly #output: Output;
  #label = "";
  #detail = "";
  #since: number;

  constructor(output: Output, now: () => number) {
    this.#output = output;
    this.#now = now;
    this.#since = now();
  }

  /** Begins to count anew only when it is another thing that is done. */
  doing(label: string, detail = ""): void {
    if (label !== this.#label) this.#since = this.#now();
    this.#label = label;
    this.#detail = detail;
  }

  get frame(): string {
    return frames[Math.floor(this.#now() / FRAME_MS) % frames.length] ?? "";
  }

  isDue(since: number = this.#since): boolean {
    return this.#now() - since >= PATIENCE_MS;
  }

  line(): string {
    const elapsed = secondsInWords(this.#now() - this.#since);
    const detail = this.#detail === "" ? "" : ` · ${oneLine(this.#detail)}`;
    return `${this.frame} ${oneLine(this.#label)} ${this.#output.paint("dim", `· ${elapsed}${detail}`)}`;
  }
}
