import { parseArgs } from "node:util";
import { GloveboxError } from "../errors.ts";
import { nearest } from "../support/nearest.ts";

export interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
}
export type Flags = Readonly<Record<string, Flag>>;

/** A word of the command line in the place where it stood: a flag with its value, or a word on its own. */
export interface Given {
  readonly flag?: string;
  readonly value: string;
}

export interface Arguments {
  readonly inOrder: readonly Given[];
  has(flag: string): boolean;
  /** The value given last. */
  value(flag: string): string | undefined;
  values(flag: string): string[];
  words(): string[];
}

const everywhere: Flags = { "no-color": { type: "boolean" } };

export function readArguments(command: string, args: string[], own: Flags): Arguments {
  const flags = { ...own, ...everywhere };
  const { tokens } = parseArgs({ args, options: flags, strict: false, allowPositionals: true, tokens: true });
  const inOrder: Given[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") inOrder.push({ value: token.value });
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (!flag) throw unknownFlag(command, rawName, Object.keys(flags));
    if (flag.type === "string" && value === undefined) {
      throw new GloveboxError("usage", `${rawName} needs a value; "glovebox ${command} --help" shows which.`);
    }
    if (flag.type === "boolean" && value !== undefined) {
      throw new GloveboxError("usage", `${rawName} takes no value; leave out "=${value}".`);
    }
    inOrder.push({ flag: name, value: value ?? "" });
  }
  const values = (flag: string) => inOrder.filter((one) => one.flag === flag).map((one) => one.value);
  return {
    inOrder,
    values,
    has: (flag) => values(flag).length > 0,
    value: (flag) => values(flag).at(-1),
    words: () => inOrder.filter((one) => one.flag === undefined).map((one) => one.value),
  };
}

export function refuseWords(command: string, given: Arguments): void {
  const [word] = given.words();
  if (word === undefined) return;
  throw new GloveboxError(
    "usage",
    `${command} takes no ${JSON.stringify(word)}; "glovebox ${command} --help" shows what it takes.`,
  );
}

function unknownFlag(command: string, given: string, known: string[]): GloveboxError {
  const names = [...known, "help"].map((name) => `--${name}`);
  const close = nearest(given, names);
  const hint = close ? `did you mean ${close}?` : `"glovebox ${command} --help" lists them.`;
  return new GloveboxError("usage", `${command} has no flag ${given}; ${hint}`);
}
