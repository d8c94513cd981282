import assert from "node:assert/strict";
import { test } from "node:test";
import { type Item, userMessage } from "../../src/protocol/items.ts";
import { asking, collect, failing, pythonTool } from "./collect.ts";
import { answered, message, opened } from "./responses-wire.ts";

test("a request keeps nothing with the provider and asks for sealed reasoning", async () => {
  const { server, model } = await opened({
    headers: { "x-team": "blue" },
    reasoningEffort: "low",
    temperature: 0.5,
  });
  server.answer(answered);
  await collect(
    model,
    asking({
      tools: [pythonTool],
      toolChoice: "required",
      parallelToolCalls: false,
      topP: 0.9,
      maxOutputTokens: 99,
      temperature: 0,
    }),
  );
  assert.deepEqual(server.body(), {
    model: "gpt-5.1",
    stream: true,
    store: false,
    instructions: "Be brief.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "What is 6 times 7?" }] }],
    include: ["reasoning.encrypted_content"],
    tools: [pythonTool],
    tool_choice: "required",
    parallel_tool_calls: false,
    max_output_tokens: 99,
    temperature: 0,
    top_p: 0.9,
    reasoning: { effort: "low" },
  });
  const { path, headers } = server.requests[0] ?? assert.fail();
  assert.deepEqual(
    [path, headers.authorization, headers["x-team"]],
    ["/v1/responses", "Bearer sk-test-key-1234", "blue"],
  );
});

test("items go back as they came; summaries of ours become words, and other providers' reasoning stays here", async () => {
  const { server, model } = await opened();
  server.answer(answered);
  const reasoning: Item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
  const call: Item = {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: "python_repl",
    arguments: "{}",
    status: "completed",
  };
  await collect(
    model,
    asking({
      input: [
        { type: "compaction", id: "cmp_1", encrypted_content: "They asked about sales." },
        userMessage("Go on."),
        reasoning,
        {
          type: "reasoning",
          id: "rs_2",
          summary: [],
          encrypted_content: '{"glovebox":"anthropic","of":"reasoning"}',
        },
        call,
        { type: "function_call_output", id: "out_1", call_id: "call_1", output: "42", status: "completed" },
        { ...message, id: "own_1" } as Item,
        { ...message } as Item,
      ],
    }),
  );
  assert.deepEqual(server.body().input, [
    {
      type: "message",
      role: "user",
      content: [
        {
          type: "input_text",
          text: "[Summary of the earlier part of this conversation, which is no longer shown]\nThey asked about sales.\n[End of the summary]",
        },
      ],
    },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Go on." }] },
    reasoning,
    call,
    { type: "function_call_output", call_id: "call_1", output: "42" },
    { type: "message", role: "assistant", content: message.content },
    message,
  ]);
});

test("the shape of the answer is asked for", async () => {
  const { server, model } = await opened();
  server.answer(answered);
  const schema = { type: "object", properties: { answer: { type: "number" } } };
  await collect(model, asking({ textFormat: { name: "result", schema, strict: true } }));
  assert.deepEqual(server.body().text, {
    format: { type: "json_schema", name: "result", schema, strict: true },
  });
});

test("a model without reasoning is asked again without it, once for all", async () => {
  const { server, model } = await opened();
  server.answer(
    {
      status: 400,
      json: {
        error: {
          message: "Encrypted content is not supported with this model.",
          type: "invalid_request_error",
          param: "include",
          code: null,
        },
      },
    },
    answered,
    answered,
  );
  await collect(model);
  await collect(model);
  assert.deepEqual(
    server.requests.map(({ body }) => (body as { include: unknown }).include),
    [["reasoning.encrypted_content"], [], []],
  );
});

test("a server elsewhere that has no Responses API is told apart from a wrong name", async () => {
  const { server, model } = await opened();
  server.answer({ status: 404, json: { detail: "Not Found" } });
  const { code, message: said } = await failing(model);
  assert.equal(code, "model-refused");
  assert.match(said, /is named openai-chat\/MODEL or openai-compatible\/MODEL\.$/);
});
