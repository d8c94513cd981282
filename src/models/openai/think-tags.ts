const OPEN = "<think>";
const CLOSE = "</think>";

export interface Heard {
  readonly thought: string;
  readonly text: string;
}

/** Tells thoughts from words where a server leaves them in one text: `<think>…</think>` before everything else. */
export class ThinkTags {
  #state: "undecided" | "thinking" | "between" | "speaking" = "undecided";
  #held = "";

  take(part: string): Heard {
    this.#held += part;
    if (this.#state === "undecided") this.#decide();
    const thought = this.#state === "thinking" ? this.#think() : "";
    return { thought, text: this.#speak() };
  }

  /** What was held back because it might have become a tag. */
  end(): Heard {
    const rest = this.#held;
    this.#held = "";
    return this.#state === "thinking" ? { thought: rest, text: "" } : { thought: "", text: rest };
  }

  #decide(): void {
    const begun = this.#held.trimStart();
    if (begun.startsWith(OPEN)) {
      this.#state = "thinking";
      this.#held = begun.slice(OPEN.length);
    } else if (!OPEN.startsWith(begun)) this.#state = "speaking";
  }

  #think(): string {
    const at = this.#held.indexOf(CLOSE);
    const end = at < 0 ? this.#held.length - heldBack(this.#held) : at;
    const thought = this.#held.slice(0, end);
    this.#held = this.#held.slice(at < 0 ? end : at + CLOSE.length);
    if (at >= 0) this.#state = "between";
    return thought;
  }

  #speak(): string {
    if (this.#state === "between") {
      this.#held = this.#held.trimStart();
      if (this.#held !== "") this.#state = "speaking";
    }
    if (this.#state !== "speaking") return "";
    const text = this.#held;
    this.#held = "";
    return text;
  }
}

/** How much of the end may be the beginning of the closing tag. */
function heldBack(text: string): number {
  let length = Math.min(text.length, CLOSE.length - 1);
  while (length > 0 && !CLOSE.startsWith(text.slice(-length))) length--;
  return length;
}
