const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/**
 * Reads one string property of a JSON object while the object is still being written, piece by piece.
 * What is not JSON gives nothing; the finished text is parsed properly elsewhere.
 */
export class StreamedString {
  readonly #name: string;
  #text = "";
  #held = "";
  #at = 0;
  #depth = 0;
  #key: string | undefined;
  #state: "outside" | "inside" | "done" = "outside";

  constructor(name: string) {
    this.#name = name;
  }

  /** The characters of the property that this piece completes. */
  push(piece: string): string {
    this.#text += piece;
    if (this.#state === "outside") this.#seek();
    const told = this.#held + (this.#state === "inside" ? this.#read() : "");
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
    // Half a character waits for its other half.
    this.#held = /[\ud800-\udbff]$/.test(told) ? told.slice(-1) : "";
    return this.#held ? told.slice(0, -1) : told;
  }

  /** Walks over whole tokens up to the opening quote of the value. */
  #seek(): void {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string;
      if (character === '"') {
        if (this.#depth === 1 && this.#key === this.#name) {
          this.#at += 1;
          this.#state = "inside";
          return;
        }
        const end = closingQuote(this.#text, this.#at);
        if (end === undefined) return;
        this.#takeString(this.#text.slice(this.#at, end + 1));
        this.#at = end + 1;
        continue;
      }
      if (character === "{" || character === "[") this.#depth += 1;
      if (character === "}" || character === "]") this.#depth -= 1;
      if (character === "," && this.#depth === 1) this.#key = undefined;
      this.#at += 1;
    }
  }

  #takeString(quoted: string): void {
    if (this.#depth !== 1 || this.#key !== undefined) return;
    try {
      this.#key = JSON.parse(quoted) as string;
    } catch {
      this.#state = "done";
    }
  }

  #read(): string {
    let told = "";
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string;
      if (character === '"') {
        this.#at += 1;
        this.#state = "done";
        return told;
      }
      if (character !== "\\") {
        told += character;
        this.#at += 1;
        continue;
      }
      const length = this.#text[this.#at + 1] === "u" ? 6 : 2;
      if (this.#text.length < this.#at + length) return told;
      told += meaningOf(this.#text.slice(this.#at + 1, this.#at + length));
      this.#at += length;
    }
    return told;
  }
}

function closingQuote(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index;
  }
  return undefined;
}

function meaningOf(escaped: string): string {
  const [letter = ""] = escaped;
  return letter === "u"
    ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    : (ESCAPES[letter] ?? letter);
}
