import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/protocol/items.ts";
import { type Answer, namedEvents } from "../support/wire-server.ts";
import { answered, claude, stored } from "./ai-sdk-wire.ts";
import { asking, collect, failing, finishIn, itemsIn, pythonTool, withTwoCalls } from "./collect.ts";

const claudeStart = {
  type: "message_start",
  message: {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 40, cache_read_input_tokens: 8, output_tokens: 1 },
  },
};
const claudeEnd = (reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 25 },
  },
  { type: "message_stop" },
];
const claudeCalls: Answer = {
  headers: { "request-id": "req_011" },
  pieces: namedEvents(
    claudeStart,
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    },
    { type: "ping" },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Six sevens." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "EqQBsig==" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "redacted_thinking", data: "EmwKhidden" },
    },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "Let me run it." } },
    { type: "content_block_stop", index: 2 },
    {
      type: "content_block_start",
      index: 3,
      content_block: { type: "tool_use", id: "toolu_01", name: "python_repl", input: {} },
    },
    { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: "" } },
    { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: '{"code": ' } },
    { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: '"6*7"}' } },
    { type: "content_block_stop", index: 3 },
    ...claudeEnd("tool_use"),
  ),
};
const claudeSays: Answer = {
  pieces: namedEvents(
    claudeStart,
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "42" } },
    { type: "content_block_stop", index: 0 },
    ...claudeEnd("end_turn"),
  ),
};

test("Claude's thinking, text and calls come as events and items", async () => {
  const { server, model } = await claude();
  server.answer(claudeCalls);
  const events = await collect(model, asking({ tools: [pythonTool] }));
  const shown = events.map((event) => (event.type === "item" ? event.item.type : event));
  assert.deepEqual(shown, [
    { type: "reasoning-delta", text: "Six sevens." },
    "reasoning",
    "reasoning",
    { type: "text-delta", text: "Let me run it." },
    "message",
    { type: "call-start", callId: "toolu_01", name: "python_repl" },
    { type: "call-delta", callId: "toolu_01", delta: '{"code": ' },
    { type: "call-delta", callId: "toolu_01", delta: '"6*7"}' },
    "function_call",
    {
      type: "finish",
      reason: "tool-calls",
      usage: {
        input_tokens: 48,
        input_tokens_details: { cached_tokens: 8 },
        output_tokens: 25,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 73,
      },
      requestId: "req_011",
    },
  ]);
  assert.deepEqual(itemsIn(events).slice(2), [
    {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Let me run it.", annotations: [] }],
      status: "completed",
    },
    {
      type: "function_call",
      call_id: "toolu_01",
      name: "python_repl",
      arguments: '{"code": "6*7"}',
      status: "completed",
    },
  ]);
});

test("Claude gets its signed and its hidden thinking back, word for word and in place", async () => {
  const { server, model } = await claude();
  server.answer(claudeCalls, claudeSays);
  const items = itemsIn(await collect(model, asking({ tools: [pythonTool] })));
  const kept = stored(answered(items));
  await collect(model, asking({ input: kept, tools: [pythonTool] }));
  const { system, messages } = server.body();
  assert.deepEqual(
    { system, messages },
    {
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: [{ type: "text", text: "6*7?" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Six sevens.", signature: "EqQBsig==" },
            { type: "redacted_thinking", data: "EmwKhidden" },
            { type: "text", text: "Let me run it." },
            { type: "tool_use", id: "toolu_01", name: "python_repl", input: { code: "6*7" } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01", content: "42" }] },
      ],
    },
  );
});

test("Claude is sent the settings, the tools and the choice among them", async () => {
  const { server, model } = await claude({ maxOutputTokens: 500, headers: { "x-team": "blue" } });
  server.answer(claudeSays);
  await collect(
    model,
    asking({ tools: [pythonTool], toolChoice: "required", parallelToolCalls: false, temperature: 0.25 }),
  );
  const [tool] = server.body().tools as Record<string, unknown>[];
  const { name: toolName, description, input_schema } = tool ?? {};
  const tools = [{ name: toolName, description, input_schema }];
  const { tool_choice, max_tokens, temperature, model: name, stream } = server.body();
  const { path, headers } = server.requests[0] ?? assert.fail();
  assert.deepEqual(
    {
      path,
      key: headers["x-api-key"],
      team: headers["x-team"],
      name,
      stream,
      max_tokens,
      temperature,
      tool_choice,
      tools,
    },
    {
      path: "/v1/messages",
      key: "k-secret-1234",
      team: "blue",
      name: "claude-sonnet-4-5",
      stream: true,
      max_tokens: 500,
      temperature: 0.25,
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      tools: [{ name: "python_repl", description: "Runs Python.", input_schema: pythonTool.parameters }],
    },
  );
});

test("a conversation that began with another model goes on with Claude", async () => {
  const { server, model } = await claude();
  server.answer(claudeSays);
  const elsewhere: Item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
  const picture = { type: "input_image" as const, image_url: "data:image/png;base64,iVBORw0KGgo=" };
  await collect(
    model,
    asking({
      input: [
        { type: "compaction", encrypted_content: "They asked about sales." },
        ...withTwoCalls([elsewhere]),
        { type: "message", role: "user", content: [{ type: "input_text", text: "And this?" }, picture] },
      ],
    }),
  );
  assert.deepEqual(server.body().messages, [
    {
      role: "user",
      content: [
        {
          type: "text",
          text: "[Summary of the earlier part of this conversation, which is no longer shown]\nThey asked about sales.\n[End of the summary]",
        },
        { type: "text", text: "Compare a and b." },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Looking." },
        { type: "tool_use", id: "call_a", name: "python_repl", input: { code: "a" } },
        { type: "tool_use", id: "call_b", name: "python_repl", input: { unreadable_arguments: "not json" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_a", content: "1" },
        { type: "tool_result", tool_use_id: "call_b", content: "2" },
        { type: "text", text: "And this?" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
      ],
    },
  ]);
});

test("an overloaded Claude that says so in its stream is asked again", async () => {
  const { server, model } = await claude();
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  server.answer({ pieces: namedEvents(overloaded) }, claudeSays);
  assert.equal(itemsIn(await collect(model)).length, 1);
  assert.equal(server.requests.length, 2);
});

test("Claude's refusals are told with what it said", async () => {
  const { server, model } = await claude();
  server.answer({
    status: 401,
    json: {
      type: "error",
      error: { type: "authentication_error", message: "invalid x-api-key k-secret-1234" },
    },
  });
  const { code, message } = await failing(model);
  assert.deepEqual(
    { code, message },
    {
      code: "model-refused",
      message: "anthropic answered 401: invalid x-api-key [secret]. Check the key in ANTHROPIC_API_KEY.",
    },
  );
});

test("an answer of Claude's that breaks off is unreachable", async () => {
  const { server, model } = await claude({ retries: 0 });
  server.answer({ pieces: (claudeSays.pieces ?? []).slice(0, 3) });
  const { code, events } = await failing(model);
  assert.deepEqual([code, events], ["model-unreachable", [{ type: "text-delta", text: "42" }]]);
});

for (const [reason, said] of [
  ["max_tokens", "length"],
  ["refusal", "content-filter"],
] as const) {
  test(`Claude's ${reason} finishes with "${said}"`, async () => {
    const { server, model } = await claude();
    server.answer({ pieces: namedEvents(claudeStart, ...claudeEnd(reason)) });
    const finish = finishIn(await collect(model));
    assert.equal(finish?.type === "finish" && finish.reason, said);
  });
}

test("an abort ends Claude's answer", async () => {
  const { server, model } = await claude();
  server.answer({ pieces: (claudeSays.pieces ?? []).slice(0, 3), afterwards: "hang" });
  const gone = server.clientGone();
  const abort = new AbortController();
  const ask = async () => {
    for await (const event of model.stream(asking({ signal: abort.signal }))) {
      assert.equal(event.type, "text-delta");
      abort.abort();
    }
  };
  await assert.rejects(ask, { code: "aborted" });
  await gone;
});

test("a listener that leaves Claude early closes the connection", async () => {
  const { server, model } = await claude();
  server.answer({ pieces: (claudeSays.pieces ?? []).slice(0, 3), afterwards: "hang" });
  const gone = server.clientGone();
  for await (const event of model.stream(asking())) {
    assert.equal(event.type, "text-delta");
    break;
  }
  await gone;
});
