import { GloveboxError } from "../errors.ts";
import { nearest } from "../support/nearest.ts";
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
    name: "ask",
    summary: "Answer a question about files, with the code and the numbers behind it",
    load: async () => (await import("./ask.ts")).ask,
  },
  {
    name: "chat",
    summary: "The same as a conversation",
    load: async () => (await import("./chat.ts")).chat,
  },
  {
    name: "run",
    summary: "Run Python in a sandboxed session",
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "serve",
    summary: "Serve the API of OpenAI, with a code interpreter behind it",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "mcp",
    summary: "Serve MCP clients (Claude, Cursor, VS Code …) on standard input and output",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "models",
    summary: "Say which models are configured and which answer",
    load: async () => (await import("./models.ts")).models,
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
