import assert from "node:assert/strict";
import { test } from "node:test";
import { assistantMessage, type Item, userMessage } from "../../src/protocol/items.ts";
import { SqliteConversations } from "../../src/store/conversations.ts";
import { temporaryDatabase } from "./home.ts";

const call: Item = { type: "function_call", call_id: "c1", name: "python_repl", arguments: '{"code":"1"}' };
const output: Item = { type: "function_call_output", call_id: "c1", output: '{"kind":"text"}' };
const reasoning: Item = {
  type: "reasoning",
  id: "r1",
  summary: [],
  encrypted_content: "opaque",
  kept_as_it_came: { deep: ["yes"] },
};

test("What was said comes back in order and whole", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  const said: Item[] = [
    userMessage('Quotes " and \\ and\nlines, \u0000, 🎉, 数据'),
    reasoning,
    call,
    output,
    assistantMessage("Done."),
  ];
  await conversations.create({ id: "conv_1" });
  await conversations.append("conv_1", said.slice(0, 2));
  await conversations.append("conv_1", said.slice(2));
  assert.deepEqual(await conversations.items("conv_1"), said);
});

test("A conversation is known by the user's first words", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await conversations.create({ id: "conv_1", session: "s1", model: "offline" });
  await conversations.append("conv_1", [assistantMessage("Hello!")]);
  await conversations.append("conv_1", [
    userMessage("  What\n\tis\u001b[31m \u202ein  here? "),
    userMessage("And now?"),
  ]);
  const found = await conversations.get("conv_1");
  assert.ok(found && found.updatedMs >= found.createdMs);
  assert.deepEqual(found, {
    id: "conv_1",
    title: "What is [31m in here?",
    session: "s1",
    model: "offline",
    createdMs: found.createdMs,
    updatedMs: found.updatedMs,
    items: 3,
  });
});

test("A long first message is cut between characters", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await conversations.create({ id: "conv_1" });
  await conversations.append("conv_1", [userMessage("🎉".repeat(200))]);
  assert.equal((await conversations.get("conv_1"))?.title, `${"🎉".repeat(79)}…`);
});

test("The conversation used last is listed first", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  for (const id of ["a", "b", "c"]) await conversations.create({ id });
  const now = Date.now();
  await database.use((db) => db.run("UPDATE conversations SET updated_ms = ? WHERE id = 'a'", now + 60_000));
  await database.use((db) => db.run("UPDATE conversations SET updated_ms = ? WHERE id <> 'a'", now));
  const ids = (await conversations.list()).map(({ id }) => id);
  assert.deepEqual(ids, ["a", "c", "b"]);
  assert.deepEqual(
    (await conversations.list({ limit: 1 })).map(({ id }) => id),
    ["a"],
  );
});

test("Undoing takes off the end, and what is said next follows what is left", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await conversations.create({ id: "conv_1" });
  await conversations.append("conv_1", [
    userMessage("one"),
    assistantMessage("1"),
    userMessage("two"),
    call,
    output,
  ]);
  await conversations.truncate("conv_1", 2);
  await conversations.append("conv_1", [userMessage("three")]);
  assert.deepEqual(await conversations.items("conv_1"), [
    userMessage("one"),
    assistantMessage("1"),
    userMessage("three"),
  ]);
  await conversations.truncate("conv_1", 0);
  await conversations.append("conv_1", [userMessage("four")]);
  assert.equal((await conversations.get("conv_1"))?.title, "four");
});

test("What cannot be read is skipped and logged, and undoing counts as the reader does", async (t) => {
  const { database, log } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await conversations.create({ id: "conv_1" });
  await conversations.append("conv_1", [userMessage("one"), userMessage("two"), userMessage("three")]);
  const spoil = (position: number, item: string) =>
    database.use((db) => db.run("UPDATE conversation_items SET item = ? WHERE position = ?", item, position));
  await spoil(1, '{"type":"message","role":"robot"}');
  assert.deepEqual(await conversations.items("conv_1"), [userMessage("one"), userMessage("three")]);
  assert.equal(log.length, 1);
  assert.match(log[0] ?? "", /cannot be read \(conversation conv_1, position 1\)/);
  await conversations.truncate("conv_1", 1);
  assert.deepEqual(await conversations.items("conv_1"), [userMessage("one")]);
});

test("The model and the session of a conversation can change", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await conversations.create({ id: "conv_1", session: "s1", model: "offline" });
  await conversations.update("conv_1", { model: "openai/gpt-5.1" });
  const found = await conversations.get("conv_1");
  assert.deepEqual([found?.session, found?.model], ["s1", "openai/gpt-5.1"]);
});

test("A removed conversation is gone with all that was said", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await conversations.create({ id: "conv_1" });
  await conversations.append("conv_1", [userMessage("one")]);
  assert.equal(await conversations.remove("conv_1"), true);
  assert.equal(await conversations.remove("conv_1"), false);
  assert.equal(await conversations.get("conv_1"), undefined);
  assert.deepEqual(await conversations.items("conv_1"), []);
});

test("Writing to a conversation that is not there, and making one that is, are refused", async (t) => {
  const { database } = await temporaryDatabase(t);
  const conversations = new SqliteConversations(database);
  await assert.rejects(conversations.append("nobody", [userMessage("x")]), {
    code: "store",
    message: /nobody/,
  });
  await assert.rejects(conversations.update("nobody", { model: "m" }), { code: "store", message: /nobody/ });
  await conversations.create({ id: "conv_1" });
  await assert.rejects(conversations.create({ id: "conv_1" }), { code: "store", message: /already/ });
});
