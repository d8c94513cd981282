import { GloveboxError } from "../errors.ts";
import { nearest } from "./nearest.ts";
import type { Terminal } from "./terminal.ts";

export type RunCommand = (args: string[], terminal: Terminal) => Promise<number>;

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Its code is read only when it is used. */
  load(): Promise<RunCommand>;
}

export const commands: readonly Command[] = [
  {
    name: "run",
    summary: "Run Python in a sandboxed session",
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "setup",
    summary: "Install the Python environment that sessions use",
    load: async () => (await import("./setup.ts")).setup,
  },
  {
    name: "doctor",
    summary: "Try the walls and limits on this machine and say what to mend",
    load: async () => (await import("./doctor.ts")).doctor,
  },
];

export function findCommand(name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  const what = name.startsWith("-") ? "flag" : "command";
  const known = [...commands.map((command) => command.name), "help", "--help", "--version"];
  const close = nearest(name, known);
  const hint = close ? `did you mean "glovebox ${close}"?` : '"glovebox --help" lists them.';
  throw new GloveboxError("usage", `There is no ${what} ${JSON.stringify(name)}; ${hint}`);
}
