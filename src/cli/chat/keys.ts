/** What was typed, as far as the prompt itself must know; the rest is text for the line editor. */
export type Key =
  | { readonly type: "text" | "paste"; readonly text: string }
  | { readonly type: "interrupt" | "end" | "search" | "newline" | "suspend" };

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const ESCAPE = "\x1b";
const special: Readonly<Record<string, Key>> = {
  "\x03": { type: "interrupt" },
  "\x04": { type: "end" },
  "\x12": { type: "search" },
  "\x1a": { type: "suspend" },
  "\x1b\r": { type: "newline" },
  "\x1b\n": { type: "newline" },
};
const found = new RegExp(
  `${ESCAPE}\\[200~|${ESCAPE}[\\r\\n]|${ESCAPE}\\[\\?[0-9;]*c|[\\u0003\\u0004\\u0012\\u001a]`,
  "g",
);
const MOST_PASTED = 1 << 20;

/** Tells keys apart in what a terminal sends, wherever the bytes are cut. */
export class KeyReader {
  #held = "";
  #pasted: string | undefined;

  read(text: string): Key[] {
    const keys: Key[] = [];
    let rest = this.#held + text;
    this.#held = "";
    while (rest !== "") rest = this.#pasted === undefined ? this.#typed(rest, keys) : this.#paste(rest, keys);
    return keys;
  }

  #typed(text: string, keys: Key[]): string {
    found.lastIndex = 0;
    const match = found.exec(text);
    if (!match) {
      const whole = text.length - heldLength(text, PASTE_START);
      this.#held = text.slice(whole);
      if (whole > 0) keys.push({ type: "text", text: text.slice(0, whole) });
      return "";
    }
    if (match.index > 0) keys.push({ type: "text", text: text.slice(0, match.index) });
    if (match[0] === PASTE_START) this.#pasted = "";
    const key = special[match[0]];
    // What is neither is a late answer of the terminal to a question, and nobody typed it.
    if (key) keys.push(key);
    return text.slice(match.index + match[0].length);
  }

  #paste(text: string, keys: Key[]): string {
    const end = text.indexOf(PASTE_END);
    const whole = end >= 0 ? end : text.length - heldLength(text, PASTE_END);
    const pasted = `${this.#pasted}${text.slice(0, whole)}`.slice(0, MOST_PASTED);
    if (end < 0) {
      this.#pasted = pasted;
      this.#held = text.slice(whole);
      return "";
    }
    this.#pasted = undefined;
    keys.push({ type: "paste", text: pasted });
    return text.slice(end + PASTE_END.length);
  }
}

/** How much of the end could be the start of a marker. A lone escape is a key of its own. */
function heldLength(text: string, marker: string): number {
  for (let length = marker.length - 1; length >= 3; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
