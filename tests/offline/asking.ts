import assert from "node:assert/strict";
import { Agent, type TurnResult } from "../../src/agent/agent.ts";
import { Conversation } from "../../src/history/conversation.ts";
import type { Session } from "../../src/index.ts";
import { offlineAnalyst } from "../../src/models/offline/offline-analyst.ts";
import { userMessage } from "../../src/protocol/items.ts";
import { listCsvFiles } from "../../src/tools/list-csv-files.ts";
import { loadCsvHandle } from "../../src/tools/load-csv-handle.ts";
import { pythonRepl } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";

/** A conversation with the offline analyst about the files of a session. */
export function conversationIn(session: Session): {
  ask: (question: string, context?: string) => Promise<TurnResult>;
  conversation: Conversation;
} {
  const conversation = new Conversation();
  const agent = new Agent({
    name: "test",
    instructions: "Answer.",
    model: offlineAnalyst(),
    tools: new ToolRegistry([pythonRepl, listCsvFiles, loadCsvHandle]),
    session,
    conversation,
  });
  return {
    conversation,
    ask: (question, context) =>
      agent.ask([...(context ? [userMessage(context)] : []), userMessage(question)]),
  };
}

/** One question in a conversation of its own. */
export async function askOnce(session: Session, question: string): Promise<TurnResult> {
  return await conversationIn(session).ask(question);
}

/** What plain Python says, as JSON. */
export async function python(session: Session, code: string): Promise<unknown> {
  const result = await session.run(code);
  assert.equal(result.kind, "object", JSON.stringify(result));
  return result.kind === "object" ? result.json : undefined;
}

/** Numbers as the answer writes them, without those in names, links and the closing line. */
export function numbersIn(answer: string): { value: number; places: number }[] {
  const prose = answer
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/`[^`]*`/g, "")
    .replace(/\*Answered by.*$/s, "");
  return [...prose.matchAll(/(?<![\w.])−?\d[\d,]*(?:\.\d+)?(?![\w])/g)].map(([token]) => {
    const plain = token.replaceAll(",", "").replace("−", "-");
    return { value: Number(plain), places: plain.split(".")[1]?.length ?? 0 };
  });
}

/** Whether a number as written is this value, rounded. */
export function isWritten(value: number, written: { value: number; places: number }): boolean {
  return Math.abs(value - written.value) <= 0.5 * 10 ** -written.places + Math.abs(value) * 1e-9;
}

/** The rows of the first table in an answer. */
export function tableIn(answer: string): string[][] {
  const lines = answer.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replace(/^`|`$/g, "")),
  );
}
