import assert from "node:assert/strict";
import { test } from "node:test";
import { codeInterpreter, python, startTestServer } from "./response-server.ts";

const { client, script } = await startTestServer();

test("a conversation is made, read, changed and deleted", async () => {
  const made = await client.conversations.create({ metadata: { topic: "a" } });
  assert.match(made.id, /^conv_[0-9a-f]+$/);
  const changed = await client.conversations.update(made.id, { metadata: { topic: "b" } });
  const { id, object, created_at, metadata } = await client.conversations.retrieve(made.id);
  assert.deepEqual(
    { id, object, created_at, metadata },
    { id: made.id, object: "conversation", created_at: changed.created_at, metadata: { topic: "b" } },
  );
  assert.deepEqual(
    { ...(await client.conversations.delete(made.id)), _request_id: undefined },
    { id: made.id, object: "conversation.deleted", deleted: true, _request_id: undefined },
  );
  await assert.rejects(client.conversations.retrieve(made.id), { status: 404 });
});

test("items are added, listed part by part, read and deleted one by one", async () => {
  const { id } = await client.conversations.create({ items: [{ role: "user", content: "one" }] });
  const added = await client.conversations.items.create(id, {
    items: [
      { role: "assistant", content: "two" },
      { role: "user", content: "three" },
    ],
  });
  assert.deepEqual([added.data.length, added.has_more], [2, false]);
  const page = await client.conversations.items.list(id, { limit: 2 });
  assert.deepEqual(
    page.data.map(
      (item) => item.type === "message" && item.content[0]?.type === "input_text" && item.content[0].text,
    ),
    ["three", false],
  );
  assert.equal(page.has_more, true);
  const all = await Array.fromAsync(client.conversations.items.list(id, { limit: 2, order: "asc" }));
  assert.equal(all.length, 3);
  const second = added.data[0]?.id ?? "";
  const item = await client.conversations.items.retrieve(second, { conversation_id: id });
  assert.equal(item.id, second);
  await client.conversations.items.delete(second, { conversation_id: id });
  assert.equal((await Array.fromAsync(client.conversations.items.list(id))).length, 2);
});

test("responses of a conversation add to it, follow it and go on in its container", async () => {
  const { id } = await client.conversations.create({});
  script(python("x = 7"), "Set.");
  const first = await client.responses.create({
    model: "any",
    input: "set x",
    conversation: id,
    tools: [codeInterpreter],
  });
  assert.deepEqual(first.conversation, { id });
  const model = script(python("x"), "Seven.");
  const second = await client.responses.create({
    model: "any",
    input: "what is x?",
    conversation: { id },
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
  });
  const [call] = second.output;
  assert.deepEqual(call?.type === "code_interpreter_call" && call.outputs, [{ type: "logs", logs: "7" }]);
  assert.deepEqual(
    model.requests[0]?.input.map((item) => item.type),
    ["message", "function_call", "function_call_output", "message", "message"],
  );
  const kept = await Array.fromAsync(client.conversations.items.list(id, { order: "asc" }));
  assert.deepEqual(
    kept.map((item) => item.type),
    ["message", "code_interpreter_call", "message", "message", "code_interpreter_call", "message"],
  );
});

test("a conversation and a previous response exclude each other", async () => {
  const { id } = await client.conversations.create({});
  await assert.rejects(
    client.responses.create({ model: "any", input: "x", conversation: id, previous_response_id: "resp_x" }),
    { status: 400, param: "previous_response_id" },
  );
});
