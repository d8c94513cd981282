import { clipToWidth } from "./display-width.ts";
import { secondsInWords } from "./quantities.ts";
import { oneLine } from "./safe-text.ts";
import type { Output } from "./terminal.ts";

const PATIENCE_MS = 300;
const FRAME_MS = 100;
export const frames: readonly string[] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** What is being waited for. Nothing is said about waits that are short. */
export class Progress {
  readonly #output: Output;
  readonly #animated: boolean;
  readonly #startedAt = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #step = "";
  #detail = "";
  #unsaid = "";
  #patient = true;
  #frame = 0;

  constructor(output: Output) {
    this.#output = output;
    this.#animated = output.canRedraw;
    this.#timer = setTimeout(() => this.#speak(), PATIENCE_MS);
  }

  /** A step worth a line of its own where nothing can be animated. */
  report(step: string, detail = ""): void {
    if (step !== this.#step) this.#unsaid = step;
    this.wait(step, detail);
    if (!this.#patient && !this.#animated) this.#sayPlainly();
  }

  /** A step that is only worth showing while it lasts. */
  wait(step: string, detail = ""): void {
    this.#step = step;
    this.#detail = detail;
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#timer);
    this.#wipe();
  }

  #speak(): void {
    this.#patient = false;
    if (!this.#animated) {
      this.#sayPlainly();
      return;
    }
    this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    this.#draw();
  }

  #sayPlainly(): void {
    if (this.#unsaid) this.#output.line(`glovebox: ${oneLine(this.#unsaid)}`);
    this.#unsaid = "";
  }

  #draw(): void {
    const elapsed = secondsInWords(Date.now() - this.#startedAt);
    const text = [this.#step, this.#detail].filter(Boolean).join(" · ");
    const shown = clipToWidth(oneLine(text), this.#output.columns - elapsed.length - 6);
    const frame = frames[this.#frame++ % frames.length];
    const line = `\r\x1b[K${frame} ${shown} ${this.#output.paint("dim", elapsed)}`;
    this.#output.transient(line, () => this.#wipe());
  }

  #wipe(): void {
    if (this.#animated && !this.#patient) this.#output.transient("\r\x1b[K", undefined);
  }
}
