import assert from "node:assert/strict";
import { test } from "node:test";
import { namedEvents } from "../support/wire-server.ts";
import { asking, collect, failing, finishIn, itemsIn, pythonTool } from "./collect.ts";
import { answered, completed, counted, created, message, opened, usage } from "./responses-wire.ts";

test("reasoning, a call and its arguments come as events while they are written and as items when done", async () => {
  const { server, model } = await opened();
  const reasoning = {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "Multiply." }],
    encrypted_content: "gAAA",
  };
  const call = {
    id: "fc_1",
    type: "function_call",
    call_id: "call_1",
    name: "python_repl",
    arguments: '{"code":"6*7"}',
    status: "completed",
  };
  server.answer({
    headers: { "x-request-id": "req_77" },
    pieces: namedEvents(
      created,
      { type: "response.in_progress", response: { id: "resp_1" } },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "rs_1", type: "reasoning", summary: [] },
      },
      { type: "response.reasoning_summary_text.delta", output_index: 0, item_id: "rs_1", delta: "Multiply." },
      { type: "response.output_item.done", output_index: 0, item: reasoning },
      {
        type: "response.output_item.added",
        output_index: 1,
        item: { ...call, arguments: "", status: "in_progress" },
      },
      { type: "response.function_call_arguments.delta", output_index: 1, item_id: "fc_1", delta: "" },
      { type: "response.function_call_arguments.delta", output_index: 1, item_id: "fc_1", delta: '{"code":' },
      { type: "response.function_call_arguments.delta", output_index: 1, item_id: "fc_1", delta: '"6*7"}' },
      { type: "response.brand_new.thing", output_index: 1, anything: [1] },
      { type: "response.output_item.done", output_index: 1, item: call },
      completed([reasoning, call]),
    ),
  });
  assert.deepEqual(await collect(model, asking({ tools: [pythonTool] })), [
    { type: "reasoning-delta", text: "Multiply." },
    { type: "item", item: reasoning },
    { type: "call-start", callId: "call_1", name: "python_repl" },
    { type: "call-delta", callId: "call_1", delta: '{"code":' },
    { type: "call-delta", callId: "call_1", delta: '"6*7"}' },
    { type: "item", item: call },
    { type: "finish", reason: "tool-calls", usage: counted, requestId: "req_77" },
  ]);
});

test("the provider's own code interpreter is asked for with its outputs and comes back whole", async () => {
  const { server, model } = await opened();
  const hosted = {
    id: "ci_1",
    type: "code_interpreter_call",
    status: "completed",
    code: "6*7",
    container_id: "cntr_1",
    outputs: [{ type: "logs", logs: "42" }],
  };
  const cited = {
    ...message,
    content: [
      {
        type: "output_text",
        text: "See [plot](sandbox:/mnt/data/plot.png)",
        annotations: [
          {
            type: "container_file_citation",
            container_id: "cntr_1",
            file_id: "cfile_1",
            filename: "plot.png",
            start_index: 11,
            end_index: 37,
          },
        ],
      },
    ],
  };
  server.answer({
    pieces: namedEvents(
      created,
      { type: "response.output_item.added", output_index: 0, item: { ...hosted, code: "", outputs: [] } },
      { type: "response.code_interpreter_call_code.delta", output_index: 0, item_id: "ci_1", delta: "6*7" },
      { type: "response.output_item.done", output_index: 0, item: hosted },
      { type: "response.output_item.done", output_index: 1, item: cited },
      completed([hosted, cited]),
    ),
  });
  const tool = { type: "code_interpreter" as const, container: { type: "auto" } };
  const events = await collect(model, asking({ tools: [tool], toolChoice: { type: "code_interpreter" } }));
  assert.deepEqual(events, [
    { type: "call-start", callId: "ci_1", name: "code_interpreter" },
    { type: "call-delta", callId: "ci_1", delta: "6*7" },
    { type: "item", item: hosted },
    { type: "item", item: cited },
    { type: "finish", reason: "stop", usage: counted },
  ]);
  const { include, tools, tool_choice } = server.body();
  assert.deepEqual(
    { include, tools, tool_choice },
    {
      include: ["reasoning.encrypted_content", "code_interpreter_call.outputs"],
      tools: [tool],
      tool_choice: { type: "code_interpreter" },
    },
  );
});

test("items that a server sends only with its end are not lost", async () => {
  const { server, model } = await opened();
  server.answer({
    pieces: namedEvents(created, completed([message, { type: "web_search_call", id: "ws_1" }])),
  });
  const { logprobs: _, ...text } = message.content[0] ?? assert.fail();
  assert.deepEqual(itemsIn(await collect(model)), [{ ...message, content: [text] }]);
});

for (const [reason, said] of [
  ["max_output_tokens", "length"],
  ["content_filter", "content-filter"],
] as const) {
  test(`an answer cut for ${reason} finishes with "${said}"`, async () => {
    const { server, model } = await opened();
    const cut = { ...message, status: "incomplete" };
    server.answer({
      pieces: namedEvents(
        created,
        { type: "response.output_item.done", output_index: 0, item: cut },
        {
          type: "response.incomplete",
          response: { id: "resp_1", incomplete_details: { reason }, output: [cut], usage },
        },
      ),
    });
    assert.deepEqual(finishIn(await collect(model)), { type: "finish", reason: said, usage: counted });
  });
}

test("a refusal is heard and kept as one", async () => {
  const { server, model } = await opened();
  const refusal = { ...message, content: [{ type: "refusal", refusal: "I cannot." }] };
  server.answer({
    pieces: namedEvents(
      created,
      { type: "response.refusal.delta", output_index: 0, delta: "I cannot." },
      { type: "response.output_item.done", output_index: 0, item: refusal },
      completed([refusal]),
    ),
  });
  assert.deepEqual(await collect(model), [
    { type: "text-delta", text: "I cannot." },
    { type: "item", item: refusal },
    { type: "finish", reason: "stop", usage: counted },
  ]);
});

test("a response that fails in passing before it said anything is asked for again", async () => {
  const { server, model, clock } = await opened();
  const failed = {
    type: "response.failed",
    response: { id: "resp_1", error: { code: "server_error", message: "Try again." } },
  };
  server.answer({ pieces: namedEvents(created, failed) }, answered);
  assert.deepEqual(itemsIn(await collect(model)).length, 1);
  assert.deepEqual([server.requests.length, clock.waits], [2, [500]]);
});

test("a response that fails for good is refused with what was said", async () => {
  const { server, model } = await opened();
  const failed = {
    type: "response.failed",
    response: { id: "resp_1", error: { code: "invalid_prompt", message: "Against the rules." } },
  };
  server.answer({ pieces: namedEvents(created, failed) });
  const { code, message: said } = await failing(model);
  assert.equal(code, "model-refused");
  assert.equal(said, "openai answered 400: Against the rules. Change what it names, or take another model.");
});

test("an error event in the stream is the provider's", async () => {
  const { server, model } = await opened({ retries: 0 });
  server.answer({
    pieces: namedEvents(created, {
      type: "error",
      code: "rate_limit_exceeded",
      message: "Slow down.",
      param: null,
    }),
  });
  const { code, message: said } = await failing(model);
  assert.equal(code, "model-unreachable");
  assert.match(said, /openai answered 429: Slow down\./);
});

test("a stream that ends without its end has broken off", async () => {
  const { server, model } = await opened({ retries: 0 });
  server.answer({ pieces: namedEvents(created, { type: "response.output_text.delta", delta: "It" }) });
  const { code, events } = await failing(model);
  assert.deepEqual(
    { code, events },
    { code: "model-unreachable", events: [{ type: "text-delta", text: "It" }] },
  );
});

test("what is not a stream at all is named for what it is", async () => {
  const { server, model } = await opened();
  server.answer({ headers: { "content-type": "text/html" }, pieces: ["<html>hello</html>"] });
  const { code, message: said } = await failing(model);
  assert.equal(code, "model-protocol");
  assert.match(said, /content of type text\/html\. Check the base URL/);
});

test("an item that cannot be read is the provider's fault, not a crash", async () => {
  const { server, model } = await opened();
  server.answer({
    pieces: namedEvents(created, {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "function_call", name: 7 },
    }),
  });
  const { code, message: said } = await failing(model);
  assert.equal(code, "model-protocol");
  assert.match(said, /an unreadable function_call item/);
});
