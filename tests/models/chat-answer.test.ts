import assert from "node:assert/strict";
import { test } from "node:test";
import { dataEvents } from "../support/wire-server.ts";
import { chunk, ending, opened } from "./chat-wire.ts";
import { asking, collect, failing, finishIn, itemsIn, pythonTool } from "./collect.ts";

test("OpenAI's chunks: text, two calls by their index, the count in a last chunk of its own", async () => {
  const { server, model } = await opened("openai-chat/gpt-5.1", { apiKey: "sk-1234" });
  server.answer({
    headers: { "x-request-id": "req_5" },
    pieces: dataEvents(
      chunk({ role: "assistant", content: "", refusal: null }),
      chunk({ content: "Look" }),
      chunk({ content: "ing." }),
      chunk({
        tool_calls: [
          { index: 0, id: "call_a", type: "function", function: { name: "python_repl", arguments: "" } },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"code":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"1"}' } }] }),
      chunk({
        tool_calls: [
          { index: 1, id: "call_b", type: "function", function: { name: "python_repl", arguments: "" } },
        ],
      }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: '{"code":"2"}' } }] }),
      ending("tool_calls"),
      {
        id: "chatcmpl-1",
        choices: [],
        usage: {
          prompt_tokens: 50,
          completion_tokens: 20,
          total_tokens: 70,
          prompt_tokens_details: { cached_tokens: 16 },
          completion_tokens_details: { reasoning_tokens: 4 },
        },
      },
    ),
  });
  assert.deepEqual(await collect(model, asking({ tools: [pythonTool] })), [
    { type: "text-delta", text: "Look" },
    { type: "text-delta", text: "ing." },
    { type: "call-start", callId: "call_a", name: "python_repl" },
    { type: "call-delta", callId: "call_a", delta: '{"code":' },
    { type: "call-delta", callId: "call_a", delta: '"1"}' },
    { type: "call-start", callId: "call_b", name: "python_repl" },
    { type: "call-delta", callId: "call_b", delta: '{"code":"2"}' },
    {
      type: "item",
      item: {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Looking.", annotations: [] }],
        status: "completed",
      },
    },
    {
      type: "item",
      item: {
        type: "function_call",
        call_id: "call_a",
        name: "python_repl",
        arguments: '{"code":"1"}',
        status: "completed",
      },
    },
    {
      type: "item",
      item: {
        type: "function_call",
        call_id: "call_b",
        name: "python_repl",
        arguments: '{"code":"2"}',
        status: "completed",
      },
    },
    {
      type: "finish",
      reason: "tool-calls",
      usage: {
        input_tokens: 50,
        input_tokens_details: { cached_tokens: 16 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 70,
      },
      requestId: "req_5",
    },
  ]);
});

test("a server that does not say why it ended has ended all the same", async () => {
  const { server, model } = await opened("llamacpp/default");
  server.answer({ pieces: dataEvents(chunk({ content: "42" })) });
  assert.deepEqual(finishIn(await collect(model)), { type: "finish", reason: "stop" });
});

test("a server that neither says why nor that it ended has broken off", async () => {
  const { server, model } = await opened("llamacpp/default", { retries: 0 });
  server.answer({ pieces: dataEvents(chunk({ content: "4" })).slice(0, 1) });
  const { code, events } = await failing(model);
  assert.deepEqual(
    { code, events },
    { code: "model-unreachable", events: [{ type: "text-delta", text: "4" }] },
  );
});

for (const [reason, said] of [
  ["length", "length"],
  ["content_filter", "content-filter"],
]) {
  test(`an answer cut for ${reason} is incomplete and finishes with "${said}"`, async () => {
    const { server, model } = await opened();
    server.answer({ pieces: dataEvents(chunk({ content: "4" }), ending(reason ?? "")) });
    assert.deepEqual((await collect(model)).slice(1), [
      {
        type: "item",
        item: {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "4", annotations: [] }],
          status: "incomplete",
        },
      },
      { type: "finish", reason: said },
    ]);
  });
}

test("a prompt that the provider's filter stops finishes with that reason", async () => {
  const { server, model } = await opened();
  server.answer({
    status: 400,
    json: { error: { message: "The prompt was filtered.", code: "content_filter" } },
  });
  assert.deepEqual(await collect(model), [{ type: "finish", reason: "content-filter" }]);
});

test("a refusal is heard and kept as one", async () => {
  const { server, model } = await opened();
  server.answer({
    pieces: dataEvents(chunk({ refusal: "I " }), chunk({ refusal: "cannot." }), ending("stop")),
  });
  assert.deepEqual(itemsIn(await collect(model)), [
    {
      type: "message",
      role: "assistant",
      content: [{ type: "refusal", refusal: "I cannot." }],
      status: "completed",
    },
  ]);
});

test("letters that are split between packets stay whole", async () => {
  const { server, model } = await opened();
  server.answer({ pieces: dataEvents(chunk({ content: "żółć 🧤" }), ending("stop")), bytesAtOnce: 1 });
  const [first] = await collect(model);
  assert.deepEqual(first, { type: "text-delta", text: "żółć 🧤" });
});

test("an error in the middle of the stream is the provider's", async () => {
  const { server, model } = await opened("ollama/qwen3");
  server.answer({
    pieces: dataEvents(chunk({ content: "4" }), {
      error: { message: "model runner has stopped", type: "api_error" },
    }),
  });
  const { code, message, events } = await failing(model);
  assert.equal(code, "model-unreachable");
  assert.match(message, /ollama answered 500: model runner has stopped\./);
  assert.equal(events.length, 1);
});

test("what is not JSON is nonsense", async () => {
  const { server, model } = await opened();
  server.answer({ pieces: ["data: {nonsense\n\n"] });
  assert.equal((await failing(model)).code, "model-protocol");
});

for (const provider of ["lmstudio", "llamacpp"]) {
  test(`thoughts that ${provider} leaves in the text are told apart from it`, async () => {
    const { server, model } = await opened(`${provider}/qwen3`);
    const parts = ["\n<th", "ink>Six <b>sev", "ens</b>.</thi", "nk>", "\n\n", "It is ", "<think> 42"];
    server.answer({ pieces: dataEvents(...parts.map((content) => chunk({ content })), ending("stop")) });
    const events = await collect(model);
    const heard = (type: string) =>
      events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("");
    assert.deepEqual(
      [heard("reasoning-delta"), heard("text-delta")],
      ["Six <b>sevens</b>.", "It is <think> 42"],
    );
    assert.deepEqual(
      itemsIn(events).map((item) => item.type),
      ["reasoning", "message"],
    );
  });
}

test("a text that only begins like a thought is a text", async () => {
  const { server, model } = await opened();
  server.answer({ pieces: dataEvents(chunk({ content: " <thi" }), ending("stop")) });
  assert.deepEqual(itemsIn(await collect(model)), [
    {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: " <thi", annotations: [] }],
      status: "completed",
    },
  ]);
});
