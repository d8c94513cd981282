import { turnsOf } from "../../history/window.ts";
import { type Item, textOf } from "../../protocol/items.ts";
import { PythonResult } from "../../protocol/result.ts";

export interface ConversationParts {
  readonly items: readonly Item[];
  readonly model: string;
  readonly session: string;
  /** The link to a file of the session beside the text; undefined where there is none. */
  readonly link: (sessionPath: string) => string | undefined;
  readonly relink: (markdown: string) => string;
}

const MOST_ROWS = 20;

/** A conversation to read later: every question, the code that was run for it, what came of it, and the answer. */
export function conversationMarkdown(parts: ConversationParts): string {
  const turns = turnsOf(parts.items).filter((turn) => turn.some(isQuestion));
  const head = `# Conversation\n\nModel: ${parts.model} · session: ${parts.session}`;
  return `${[head, ...turns.map((turn, at) => turnMarkdown(turn, at + 1, parts))].join("\n\n")}\n`;
}

function turnMarkdown(turn: readonly Item[], number: number, parts: ConversationParts): string {
  const question = turn.findLast(isQuestion);
  const asked = question?.type === "message" ? textOf(question.content) : "";
  const quoted = asked.split("\n").map((line) => `> ${line}`.trimEnd());
  const blocks = turn.flatMap((item) => itemBlocks(item, turn, parts));
  return [`## Question ${number}`, quoted.join("\n"), ...blocks].join("\n\n");
}

function itemBlocks(item: Item, turn: readonly Item[], parts: ConversationParts): string[] {
  if (item.type === "message" && item.role === "assistant") {
    const text = textOf(item.content).trim();
    return text === "" ? [] : [parts.relink(text)];
  }
  if (item.type !== "function_call") return [];
  const written = readObject(item.arguments);
  const intent = typeof written.intent === "string" && written.intent !== "" ? written.intent : item.name;
  const code = typeof written.code === "string" ? [fenced(written.code, "python")] : [];
  const output = turn.find(
    (other) => other.type === "function_call_output" && other.call_id === item.call_id,
  );
  const answered = output?.type === "function_call_output" ? textOf(output.output) : "";
  return [
    `**${intent.replace(/\s+/g, " ").replace(/([*_`[\]<>\\])/g, "\\$1")}**`,
    ...code,
    ...resultBlocks(answered, parts),
  ];
}

function resultBlocks(output: string, parts: ConversationParts): string[] {
  const result = PythonResult.safeParse({ traceback: "", ...readObject(output) }).data;
  if (!result) return output === "" ? [] : [fenced(output, "json")];
  const printed = result.kind === "text" ? result.text : (result.stdout ?? "");
  const blocks = printed.trim() === "" ? [] : [fenced(printed, "text")];
  if (result.kind === "object") blocks.push(fenced(result.repr, "text"));
  if (result.kind === "error") {
    blocks.push(fenced(result.traceback || `${result.name}: ${result.message}`, "text"));
  }
  if (result.kind === "dataframe") blocks.push(table(result));
  for (const { file } of result.images ?? []) {
    const link = parts.link(file);
    blocks.push(link ? `![figure](${link})` : `(${file} was not kept)`);
  }
  if (result.notice) blocks.push(`*${result.notice}*`);
  return blocks;
}

function table(frame: Extract<PythonResult, { kind: "dataframe" }>): string {
  const cell = (value: unknown) =>
    (value === null || value === undefined
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value)
    )
      .replace(/\s+/g, " ")
      .replaceAll("|", "\\|");
  const row = (values: readonly unknown[]) => `| ${values.map(cell).join(" | ")} |`;
  const shown = frame.head.slice(0, MOST_ROWS);
  const rows = [row(frame.columns), row(frame.columns.map(() => "---")), ...shown.map(row)];
  const more = frame.row_count > shown.length ? `\n\n*${shown.length} of ${frame.row_count} rows*` : "";
  return rows.join("\n") + more;
}

/** A fence longer than any inside cannot be closed from inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

function isQuestion(item: Item): boolean {
  return item.type === "message" && item.role === "user";
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
