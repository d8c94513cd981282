import assert from "node:assert/strict";
import { test } from "node:test";
import { compact, needsCompaction } from "../../src/history/compact.ts";
import { Conversation } from "../../src/history/conversation.ts";
import { estimateTokens } from "../../src/history/tokens.ts";
import { newestTurns, sinceCompaction, turnsOf } from "../../src/history/window.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { assistantMessage, type Item, textOf, userMessage } from "../../src/protocol/items.ts";

const turn = (name: string, bytes = 400): Item[] => [
  userMessage(`${name}?`),
  { type: "function_call", call_id: name, name: "python_repl", arguments: "{}" },
  { type: "function_call_output", call_id: name, output: "x".repeat(bytes) },
  assistantMessage(`${name}!`),
];
const turns = (...names: string[]) => names.flatMap((name) => turn(name));
const questionsIn = (items: readonly Item[]) =>
  items.flatMap((item) => (item.type === "message" && item.role === "user" ? [textOf(item.content)] : []));

test("a log falls into turns, each beginning with what the user said", () => {
  const context = userMessage("about the files");
  const items = [context, ...turns("a", "b")];
  assert.deepEqual(turnsOf(items), [[context, ...turn("a")], turn("b")]);
  assert.deepEqual(turnsOf([]), []);
});

test("a window keeps the newest whole turns, and the newest even when it does not fit", () => {
  const items = turns("a", "b", "c");
  const one = estimateTokens(turn("a"));
  assert.deepEqual(newestTurns(items, 10 * one), items);
  assert.deepEqual(newestTurns(items, 2 * one), turns("b", "c"));
  assert.deepEqual(newestTurns(items, 2 * one - 1), turn("c"));
  assert.deepEqual(newestTurns(items, 1), turn("c"));
});

test("compaction puts a summary in the place of old turns and keeps the newest with their outputs", async () => {
  const conversation = new Conversation({ items: turns("a", "b", "c", "d", "e") });
  const mostTokens = 2 * estimateTokens(turn("a")) * 1.3;
  assert.equal(needsCompaction(conversation, mostTokens), true);
  const model = scriptedModel(["They asked a to d."]);
  const usage = await compact(conversation, { model, mostTokens, signal: new AbortController().signal });
  assert.ok(usage && usage.total_tokens > 0);
  const now = sinceCompaction(conversation.items);
  assert.deepEqual(now, [
    { type: "compaction", encrypted_content: "They asked a to d.", covers: 16 },
    ...turn("e"),
  ]);
  assert.equal(needsCompaction(conversation, mostTokens), false);
  assert.deepEqual(questionsIn(conversation.items), ["a?", "b?", "c?", "d?", "e?"]);
  assert.equal(model.requests[0]?.tools.length, 0);
});

test("a second compaction stands for the first one too", async () => {
  const conversation = new Conversation({ items: turns("a", "b", "c") });
  const mostTokens = 3 * estimateTokens(turn("a"));
  const signal = new AbortController().signal;
  const model = scriptedModel(["First.", "Second."]);
  await compact(conversation, { model, mostTokens, signal });
  await conversation.append(...turns("d", "e"));
  await compact(conversation, { model, mostTokens, signal });
  assert.deepEqual(sinceCompaction(conversation.items), [
    { type: "compaction", encrypted_content: "Second.", covers: 17 },
    ...turn("e"),
  ]);
  const [asked] = model.requests[1]?.input ?? [];
  assert.deepEqual(asked?.type === "compaction" && asked.encrypted_content, "First.");
});

test("a summary that says nothing changes nothing", async () => {
  const conversation = new Conversation({ items: turns("a", "b", "c") });
  const signal = new AbortController().signal;
  await compact(conversation, { model: scriptedModel([" "]), mostTokens: 200, signal });
  assert.deepEqual(conversation.items, turns("a", "b", "c"));
});
