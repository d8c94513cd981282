import assert from "node:assert/strict";
import { test } from "node:test";
import { type Item, userMessage } from "../../src/protocol/items.ts";
import { dataEvents } from "../support/wire-server.ts";
import { chunk, ending, opened, told } from "./chat-wire.ts";
import { asking, collect, failing, itemsIn, pythonTool, withTwoCalls } from "./collect.ts";

test("a request says everything in this API's own words", async () => {
  const { server, model } = await opened("openai-chat/gpt-5.1", { apiKey: "sk-1234", maxOutputTokens: 64 });
  server.answer(told);
  const schema = { type: "object", properties: {} };
  await collect(
    model,
    asking({
      tools: [pythonTool],
      toolChoice: { type: "function", name: "python_repl" },
      parallelToolCalls: true,
      reasoningEffort: "high",
      textFormat: { name: "result", schema },
    }),
  );
  const { type, ...declared } = pythonTool;
  assert.deepEqual(server.body(), {
    model: "gpt-5.1",
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "What is 6 times 7?" },
    ],
    tools: [{ type, function: declared }],
    tool_choice: { type: "function", function: { name: "python_repl" } },
    parallel_tool_calls: true,
    max_completion_tokens: 64,
    reasoning_effort: "high",
    response_format: { type: "json_schema", json_schema: { name: "result", schema } },
  });
});

test("calls made at once are one message, answered in their order", async () => {
  const { server, model } = await opened();
  server.answer(told);
  await collect(model, asking({ input: [...withTwoCalls(), userMessage("And?"), userMessage("Well?")] }));
  const call = (id: string, text: string) => ({
    id,
    type: "function",
    function: { name: "python_repl", arguments: text },
  });
  assert.deepEqual(server.body().messages, [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Compare a and b." },
    {
      role: "assistant",
      content: "Looking.",
      tool_calls: [call("call_a", '{"code":"a"}'), call("call_b", '{"unreadable_arguments":"not json"}')],
    },
    { role: "tool", tool_call_id: "call_a", content: "1" },
    { role: "tool", tool_call_id: "call_b", content: "2" },
    { role: "user", content: "And?\n\nWell?" },
  ]);
});

test("pictures are shown, those of tools after what the tools said", async () => {
  const { server, model } = await opened();
  server.answer(told);
  const picture = { type: "input_image" as const, image_url: "data:image/png;base64,AAAA" };
  await collect(
    model,
    asking({
      instructions: "",
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Plot." }, picture] },
        { type: "function_call", call_id: "c1", name: "python_repl", arguments: "{}" },
        {
          type: "function_call_output",
          call_id: "c1",
          output: [{ type: "input_text", text: "done" }, picture],
        },
      ],
    }),
  );
  const shown = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  assert.deepEqual(server.body().messages, [
    { role: "user", content: [{ type: "text", text: "Plot." }, shown] },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "python_repl", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "done" },
    {
      role: "user",
      content: [{ type: "text", text: "[What the tools above returned besides text]" }, shown],
    },
  ]);
});

test("only the first words are the system's; what it says later and summaries are marked as such", async () => {
  const { server, model } = await opened();
  server.answer(told);
  await collect(
    model,
    asking({
      input: [
        { type: "message", role: "developer", content: "Metric units." },
        { type: "compaction", encrypted_content: "They asked about sales." },
        { type: "message", role: "system", content: "The user is new." },
      ],
    }),
  );
  assert.deepEqual(server.body().messages, [
    { role: "system", content: "Be brief.\n\nMetric units." },
    {
      role: "user",
      content:
        "[Summary of the earlier part of this conversation, which is no longer shown]\nThey asked about sales.\n[End of the summary]\n\n[From the system, not the user]\n\nThe user is new.",
    },
  ]);
});

for (const field of ["reasoning_content", "reasoning"]) {
  test(`reasoning in ${field} is kept, and goes back in it with the calls that came of it`, async () => {
    const { server, model } = await opened();
    server.answer(
      {
        pieces: dataEvents(
          chunk({ role: "assistant", content: null, [field]: "Six " }),
          chunk({ content: "", [field]: "sevens." }),
          chunk({
            tool_calls: [
              { index: 0, id: "c1", function: { name: "python_repl", arguments: '{"code":"6*7"}' } },
            ],
          }),
          ending("tool_calls"),
        ),
      },
      told,
      told,
    );
    const events = await collect(model, asking({ tools: [pythonTool] }));
    assert.deepEqual(events.slice(0, 2), [
      { type: "reasoning-delta", text: "Six " },
      { type: "reasoning-delta", text: "sevens." },
    ]);
    const first = itemsIn(events);
    const output: Item = { type: "function_call_output", call_id: "c1", output: "42" };
    const history = [userMessage("6*7?"), ...first, output];
    await collect(model, asking({ input: history, tools: [pythonTool] }));
    const sent = server.body().messages as { role: string }[];
    assert.deepEqual(sent[2], {
      role: "assistant",
      content: null,
      [field]: "Six sevens.",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "python_repl", arguments: '{"code":"6*7"}' } },
      ],
    });
  });
}

test("reasoning without calls, and that of another provider, is not sent back", async () => {
  const { server, model } = await opened();
  server.answer(told);
  const reasoning = (glovebox: string): Item => ({
    type: "reasoning",
    id: "rs_1",
    summary: [],
    content: [{ type: "reasoning_text", text: "Hm." }],
    encrypted_content: JSON.stringify({ glovebox, of: "reasoning", field: "reasoning" }),
  });
  const said: Item = { type: "message", role: "assistant", content: "42" };
  await collect(
    model,
    asking({
      input: [userMessage("?"), reasoning("openai-compatible"), said, ...withTwoCalls([reasoning("ollama")])],
    }),
  );
  assert.doesNotMatch(JSON.stringify(server.body()), /Hm\./);
});

test("a server that refuses to count is asked again without, once for all", async () => {
  const { server, model } = await opened();
  const refused = {
    status: 422,
    json: { error: { message: "stream_options: Extra inputs are not permitted" } },
  };
  server.answer(refused, told, told);
  await collect(model);
  await collect(model);
  assert.deepEqual(
    server.requests.map(({ body }) => "stream_options" in (body as object)),
    [true, false, false],
  );
});

test("a tool that providers run themselves is refused before anything is sent", async () => {
  const { server, model } = await opened();
  const { code, message } = await failing(
    model,
    asking({ tools: [{ type: "code_interpreter", container: "c" }] }),
  );
  assert.equal(code, "provider-tool");
  assert.match(message, /openai-compatible does not run code_interpreter itself/);
  assert.equal(server.requests.length, 0);
});

test("what the environment says of OpenAI is not told to other servers", async () => {
  const { server, model } = await opened("ollama/qwen3");
  const mine = { OPENAI_API_KEY: "sk-mine", OPENAI_ORG_ID: "org-mine", OPENAI_PROJECT_ID: "proj-mine" };
  const before = Object.fromEntries(Object.keys(mine).map((name) => [name, process.env[name]]));
  Object.assign(process.env, mine);
  server.answer(told);
  try {
    await collect(model);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  assert.doesNotMatch(JSON.stringify(server.requests[0]?.headers), /mine/);
});
