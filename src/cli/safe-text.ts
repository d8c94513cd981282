const ESCAPE = "\x1b";
const RESET = "\x1b[0m";
// What follows the escape of a colour code, whole and cut short.
const colourCode = /^\[[0-9;:]{0,64}m/;
const unfinished = /^(?:\[[0-9;:]{0,64})?$/;
// Everything that moves, titles, copies or hides: all controls but tab, line feed and carriage return.
const controls = /(?![\t\n\r])\p{Cc}/gu;
const misleading = /[\t\n\r\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Untrusted text on its way to a terminal, part by part: colours and line ends pass, all else is made visible. */
export class SafeText {
  readonly #colour: boolean;
  #held = "";
  #coloured = false;

  constructor(options: { colour: boolean }) {
    this.#colour = options.colour;
  }

  static whole(text: string): string {
    const safe = new SafeText({ colour: false });
    return safe.take(text) + safe.end();
  }

  /** What may be shown of the text so far; the start of a colour code is held until the rest of it comes. */
  take(text: string): string {
    const all = this.#held + text;
    const last = all.lastIndexOf(ESCAPE);
    const cut = last >= 0 && unfinished.test(all.slice(last + 1)) ? last : all.length;
    this.#held = all.slice(cut);
    return this.#filter(all.slice(0, cut));
  }

  /** What was held, and an end to any colour that is still on. */
  end(): string {
    const rest = this.#filter(this.#held);
    this.#held = "";
    const reset = this.#coloured ? RESET : "";
    this.#coloured = false;
    return rest + reset;
  }

  #filter(text: string): string {
    let out = "";
    let start = 0;
    for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, start)) {
      out += visible(text.slice(start, at));
      const code = colourCode.exec(text.slice(at + 1, at + 80))?.[0];
      out += code === undefined ? "␛" : this.#pass(code);
      start = at + 1 + (code?.length ?? 0);
    }
    return out + visible(text.slice(start));
  }

  #pass(code: string): string {
    if (!this.#colour) return "";
    this.#coloured = !/^\[0*m$/.test(code);
    return ESCAPE + code;
  }
}

/** Untrusted text that must stay on one line and mean what it seems to: names of files, cells of tables. */
export function oneLine(text: string): string {
  return visible(text).replace(misleading, spell);
}

/** Untrusted prose: on one line, with its script's own marks, but nothing that turns the reading order round. */
export function prose(text: string): string {
  return visible(text.replace(/[\t\n\r\u2028\u2029]+/g, " ")).replace(/[\u202a-\u202e\u2066-\u2069]/g, spell);
}

function visible(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : spell(character);
  });
}

function spell(character: string): string {
  const short: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };
  const code = character.charCodeAt(0).toString(16);
  return short[character] ?? (code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code}`);
}
