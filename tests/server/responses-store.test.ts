import assert from "node:assert/strict";
import { test } from "node:test";
import { codeInterpreter, python, startTestServer } from "./response-server.ts";

const KEYS = ["first-key-of-this-test", "second-key-of-this-test"] as const;
const { client, script, post, get } = await startTestServer();

test("a response is there again as it was answered", async () => {
  script(python("1 + 1"), "Two.");
  const answered = await client.responses.create({
    model: "any",
    input: "go",
    tools: [codeInterpreter],
    metadata: { topic: "sums" },
  });
  const { output_text: _, ...kept } = await client.responses.retrieve(answered.id);
  const { output_text: __, _request_id: ___, ...given } = answered;
  assert.deepEqual(kept, given);
});

test("outputs are kept and shown to those who ask for them later", async () => {
  script(python("1 + 1"), "Two.");
  const { id } = await client.responses.create({ model: "any", input: "go", tools: [codeInterpreter] });
  const kept = await client.responses.retrieve(id, { include: ["code_interpreter_call.outputs"] });
  const [call] = kept.output;
  assert.deepEqual(call?.type === "code_interpreter_call" && call.outputs, [{ type: "logs", logs: "2" }]);
});

test("a response that is not to be stored is not", async () => {
  script("Said.");
  const { id } = await client.responses.create({ model: "any", input: "go", store: false });
  await assert.rejects(client.responses.retrieve(id), { status: 404 });
});

test("what a response was asked is listed part by part, with all that went before", async () => {
  script("One.", "Two.");
  const first = await client.responses.create({ model: "any", input: "first" });
  const second = await client.responses.create({
    model: "any",
    previous_response_id: first.id,
    input: [
      { role: "user", content: "second" },
      { role: "user", content: "third" },
    ],
  });
  const listed: unknown[] = [];
  for await (const item of client.responses.inputItems.list(second.id, { limit: 2, order: "asc" })) {
    if (item.type === "message")
      listed.push(item.content.map((part) => ("text" in part ? part.text : "")).join());
  }
  assert.deepEqual(listed, ["first", "One.", "second", "third"]);
});

test("instructions are not carried over to the next response", async () => {
  script("One.");
  const first = await client.responses.create({ model: "any", input: "first", instructions: "Rhyme." });
  const model = script("Two.");
  await client.responses.create({ model: "any", input: "second", previous_response_id: first.id });
  assert.equal(model.requests[0]?.instructions, "");
});

test("a deleted response is gone, and those that follow it know what was said", async () => {
  script("One.", "Two.");
  const first = await client.responses.create({ model: "any", input: "first" });
  const second = await client.responses.create({
    model: "any",
    input: "second",
    previous_response_id: first.id,
  });
  const deleted = await fetch(`${client.baseURL}/responses/${first.id}`, { method: "DELETE" });
  assert.deepEqual(await deleted.json(), { id: first.id, object: "response.deleted", deleted: true });
  await assert.rejects(client.responses.retrieve(first.id), { status: 404 });
  const model = script("Three.");
  await client.responses.create({ model: "any", input: "third", previous_response_id: second.id });
  assert.equal(model.requests[0]?.input.length, 5);
  const refused = await post("/responses", { input: "x", previous_response_id: first.id });
  assert.equal(refused.status, 400);
});

test("an item is found again by its id alone", async () => {
  script("One.");
  const first = await client.responses.create({ model: "any", input: "first" });
  const model = script("Two.");
  await client.responses.create({
    model: "any",
    input: [
      { type: "item_reference", id: first.output[0]?.id ?? "" },
      { role: "user", content: "go on" },
    ],
  });
  assert.match(JSON.stringify(model.requests[0]?.input[0]), /"role":"assistant".*"One\."/);
});

test("a key sees neither responses nor conversations nor items of another", async () => {
  const guarded = await startTestServer({ config: { apiKeys: [...KEYS] } });
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  guarded.script("Secret.", "Hello.");
  const made = await guarded.post("/responses", { input: "mine" }, as(KEYS[0]));
  const { id, output } = (await made.json()) as { id: string; output: { id: string }[] };
  const conversation = await guarded.post("/conversations", {}, as(KEYS[0]));
  const { id: conversationId } = (await conversation.json()) as { id: string };
  const statuses = await Promise.all(
    [
      fetch(`${guarded.url}/v1/responses/${id}`, { headers: as(KEYS[0]) }),
      fetch(`${guarded.url}/v1/responses/${id}`, { headers: as(KEYS[1]) }),
      fetch(`${guarded.url}/v1/responses/${id}/input_items`, { headers: as(KEYS[1]) }),
      fetch(`${guarded.url}/v1/conversations/${conversationId}`, { headers: as(KEYS[1]) }),
      guarded.post("/responses", { input: "x", previous_response_id: id }, as(KEYS[1])),
      guarded.post("/responses", { input: "x", conversation: conversationId }, as(KEYS[1])),
      guarded.post("/responses", { input: [{ type: "item_reference", id: output[0]?.id }] }, as(KEYS[1])),
    ].map(async (answer) => (await answer).status),
  );
  assert.deepEqual(statuses, [200, 404, 404, 404, 400, 404, 404]);
});

test("an input is counted, and a conversation is compacted to what stands for it", async () => {
  const { input_tokens } = await client.responses.inputTokens.count({ model: "any", input: "twelve words" });
  assert.ok(Number.isInteger(input_tokens) && input_tokens > 0);
  script("What it was about.");
  const compacted = await client.responses.compact({
    model: "gpt-5",
    input: [
      { role: "user", content: "first" },
      { role: "assistant", content: "One." },
      { role: "user", content: "second" },
    ],
  });
  assert.deepEqual(
    compacted.output.map(({ type }) => type),
    ["message", "message", "compaction"],
  );
  const model = script("Third.");
  await client.responses.create({
    model: "any",
    input: [...(compacted.output as never[]), { role: "user", content: "third" }],
  });
  const told = model.requests[0]?.input.map((item) =>
    item.type === "compaction" ? item.encrypted_content : item.type,
  );
  assert.deepEqual(told, ["What it was about.", "message", "message"]);
});

test("unknown ids are answered in OpenAI's words", async () => {
  const answer = await get("/responses/resp_none");
  assert.equal(answer.status, 404);
  assert.deepEqual(await answer.json(), {
    error: {
      message: "Response with id 'resp_none' not found.",
      type: "invalid_request_error",
      param: null,
      code: "not_found",
    },
  });
});
