import type { Usage } from "../../protocol/usage.ts";
import { nearest } from "../../support/nearest.ts";
import { clipToWidth, displayWidth, padEnd, padStart } from "../display-width.ts";
import type { OpenAnalyst } from "../open-analyst.ts";
import { bytesInWords } from "../quantities.ts";
import { oneLine, SafeText } from "../safe-text.ts";
import type { Output } from "../terminal.ts";
import { tokensInWords } from "../turn/cost-words.ts";
import { wrapWords } from "../word-wrap.ts";
import { saveConversation } from "./save-conversation.ts";

/** What the commands of a chat work on. */
export interface ChatState {
  readonly open: OpenAnalyst;
  readonly output: Output;
  /** What all questions so far have cost. */
  readonly usage: () => Usage;
  readonly saved: Set<string>;
}

interface SlashCommand {
  readonly name: string;
  readonly takes?: string;
  readonly summary: string;
  /** What it has to say, safe to be shown. */
  run(argument: string, state: ChatState): Promise<string>;
}

const MOST_LISTED = 100;

export const slashCommands: readonly SlashCommand[] = [
  {
    name: "/files",
    summary: "Files of the session",
    async run(_, { open, output }) {
      const files = (await open.session.files.list()).map(({ path, bytes, modified_ms }) => [
        oneLine(path),
        bytesInWords(bytes),
        new Date(modified_ms).toISOString().slice(0, 16).replace("T", " "),
      ]);
      if (files.length === 0) return "There are no files.";
      return `${columns(files, output, [1])}\n${output.paint("dim", `Kept in ${open.kept.files}`)}`;
    },
  },
  {
    name: "/vars",
    summary: "Variables of the session",
    async run(_, { open, output }) {
      const variables = (await open.session.variables()).map(({ name, type, shape, bytes, repr }) => [
        oneLine(name),
        oneLine(type),
        shape ? shape.map((size) => size.toLocaleString("en-US")).join(" × ") : "",
        bytesInWords(bytes),
        shape ? "" : oneLine(repr),
      ]);
      return variables.length === 0 ? "There are no variables." : columns(variables, output, [3]);
    },
  },
  {
    name: "/undo",
    summary: "Take the last question back: what was said, and the variables",
    async run(_, { open, output }) {
      const words = (await open.analyst.undo()) ?? "There is nothing to take back.";
      return wrapWords(SafeText.whole(words), output.columns - 1).join("\n");
    },
  },
  {
    name: "/save",
    takes: "[FILE]",
    summary: "Write the conversation as Markdown, with code, results and figures",
    async run(argument, { open, saved }) {
      const { analyst, kept } = open;
      if (analyst.conversation.items.length === 0) return "There is nothing to save yet.";
      const { file, words } = await saveConversation({
        items: analyst.conversation.items,
        model: analyst.model.name,
        kept,
        file: argument === "" ? undefined : argument,
        own: saved,
      });
      saved.add(file);
      return SafeText.whole(words);
    },
  },
  {
    name: "/model",
    takes: "[NAME]",
    summary: "Say which model answers, or take another one",
    async run(argument, { open: { analyst } }) {
      if (argument !== "") await analyst.useModel(argument);
      const more = argument === "" ? ' Another: "/model NAME"; "glovebox models" lists them.' : "";
      return `${oneLine(analyst.model.name)} answers.${more}`;
    },
  },
  {
    name: "/cost",
    summary: "What the questions so far have cost",
    async run(_, { usage }) {
      const total = usage();
      return total.total_tokens === 0 ? "No tokens were used." : `${tokensInWords(total)}.`;
    },
  },
  {
    name: "/help",
    summary: "This list",
    async run(_, { output }) {
      const rows = [...slashCommands, quit].map(({ name, takes, summary }) => [
        takes ? `${name} ${takes}` : name,
        summary,
      ]);
      return columns(rows, output, []);
    },
  },
];

const quit = { name: "/quit", takes: undefined, summary: "End; the session is kept (also Ctrl-D)" };

export const commandNames: readonly string[] = [...slashCommands.map(({ name }) => name), quit.name];

/** A line that is a command, as opposed to a question that begins with a path. */
export function isCommand(line: string): boolean {
  return /^\/[A-Za-z?]*(?:\s|$)/.test(line);
}

export function isQuit(line: string): boolean {
  return /^\/(?:quit|exit|q)$/.test(line.trim());
}

/** What a command has to say. */
export async function runSlashCommand(line: string, state: ChatState): Promise<string> {
  const [, name = "", argument = ""] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  const command = slashCommands.find((one) => one.name === name);
  if (command) return command.run(argument.trim(), state);
  const close = nearest(name, commandNames);
  return `There is no command ${oneLine(name)}; ${close ? `did you mean ${close}?` : "/help lists them."}`;
}

/** Columns side by side; the last one gets what is left of the width. */
function columns(rows: readonly (readonly string[])[], output: Output, right: readonly number[]): string {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...rows.map((row) => displayWidth(row[at] ?? ""))),
  );
  const lines = rows
    .slice(0, MOST_LISTED)
    .map((row) =>
      row.map((text, at) => (right.includes(at) ? padStart : padEnd)(text, widths[at] ?? 0)).join("  "),
    );
  const left = rows.length - lines.length;
  const more = left > 0 ? [`and ${left.toLocaleString("en-US")} more`] : [];
  return [...lines.map((line) => clipToWidth(line.trimEnd(), output.columns - 1)), ...more].join("\n");
}
