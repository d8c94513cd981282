// What switches each style on, and what switches it off again without touching the others.
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof codes;
export type Paint = (style: Style, text: string) => string;

export interface ColourWish {
  readonly isTerminal: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly noColour: boolean;
}

/** Decided once for each stream. FORCE_COLOR wins over NO_COLOR, as in Node itself. */
export function wantsColour({ isTerminal, env, noColour }: ColourWish): boolean {
  if (noColour) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.NO_COLOR || env.TERM === "dumb") return false;
  return isTerminal;
}

/** Styles may stand inside one another: what an inner one switches off is switched on again after it. */
export function painter(colour: boolean): Paint {
  if (!colour) return (_, text) => text;
  return (style, text) => {
    if (text === "") return "";
    const [on, off] = codes[style].map((code) => `\x1b[${code}m`) as [string, string];
    return on + text.replaceAll(off, off + on) + off;
  };
}
