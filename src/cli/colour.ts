const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
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

export function painter(colour: boolean): Paint {
  if (!colour) return (_, text) => text;
  return (style, text) => (text === "" ? "" : `\x1b[${codes[style]}m${text}\x1b[0m`);
}
