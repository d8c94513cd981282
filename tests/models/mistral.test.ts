import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/protocol/items.ts";
import { dataEvents } from "../support/wire-server.ts";
import { answered, mistral } from "./ai-sdk-wire.ts";
import { asking, collect, failing, finishIn, itemsIn, pythonTool, withTwoCalls } from "./collect.ts";

const bit = (delta: object, more: object = {}) => ({
  id: "cmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "magistral",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

test("Mistral's thinking and calls come and go back in its own words", async () => {
  const { server, model } = await mistral();
  server.answer(
    {
      headers: { "mistral-correlation-id": "corr-9" },
      pieces: dataEvents(
        bit({ role: "assistant", content: "" }),
        bit({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Six sevens." }] }] }),
        bit({ content: "Running." }),
        {
          ...bit(
            {
              tool_calls: [
                {
                  index: 0,
                  id: "D681PevKs",
                  function: { name: "python_repl", arguments: '{"code": "6*7"}' },
                },
              ],
            },
            { finish_reason: "tool_calls" },
          ),
          usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
        },
      ),
    },
    { pieces: dataEvents(bit({ content: "42" }, { finish_reason: "stop" })) },
  );
  const events = await collect(model, asking({ tools: [pythonTool] }));
  assert.deepEqual(finishIn(events), {
    type: "finish",
    reason: "tool-calls",
    usage: {
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 27,
    },
    requestId: "corr-9",
  });
  await collect(model, asking({ input: answered(itemsIn(events)), tools: [pythonTool] }));
  assert.deepEqual((server.body().messages as object[]).slice(2), [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "Six sevens." }], closed: true },
        { type: "text", text: "Running." },
      ],
      tool_calls: [
        { id: "D681PevKs", type: "function", function: { name: "python_repl", arguments: '{"code":"6*7"}' } },
      ],
    },
    { role: "tool", name: "python_repl", tool_call_id: "D681PevKs", content: "42" },
  ]);
});

test("calls of other providers get ids that Mistral takes", async () => {
  const { server, model } = await mistral();
  server.answer({ pieces: dataEvents(bit({ content: "42" }, { finish_reason: "stop" })) });
  await collect(model, asking({ input: withTwoCalls() }));
  const messages = server.body().messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
  const ids = messages[2]?.tool_calls?.map(({ id }) => id) ?? [];
  assert.ok(ids.length === 2 && ids.every((id) => /^[A-Za-z0-9]{9}$/.test(id)), String(ids));
  assert.deepEqual([messages[3]?.tool_call_id, messages[4]?.tool_call_id], ids);
});

test("an effort that no provider knows is wrong use", async () => {
  const { model } = await mistral();
  const { code, message } = await failing(model, asking({ reasoningEffort: "heroic" }));
  assert.deepEqual(
    [code, message],
    ["usage", 'The reasoning effort is "heroic"; give one of none, minimal, low, medium, high, xhigh, max.'],
  );
});

test("a provider of the AI SDK that says nothing for too long is given up", async () => {
  const { server, model } = await mistral({ timeoutMs: 50, retries: 0 });
  server.answer({ pieces: [": hello\n\n"], afterwards: "hang" });
  const { code, message } = await failing(model);
  assert.equal(code, "model-unreachable");
  assert.match(message, /sent nothing for 0\.05 s; ask again/);
});

test("a call whose id an earlier call of the conversation has gets another", async () => {
  const { server, model } = await mistral();
  const call = { index: 0, id: "D681PevKs", function: { name: "python_repl", arguments: "{}" } };
  server.answer({ pieces: dataEvents(bit({ tool_calls: [call] }, { finish_reason: "tool_calls" })) });
  const before: Item = { type: "function_call", call_id: "D681PevKs", name: "python_repl", arguments: "{}" };
  const [item] = itemsIn(await collect(model, asking({ input: answered([before]), tools: [pythonTool] })));
  assert.match(item?.type === "function_call" ? item.call_id : "", /^call_[0-9a-f]{24}$/);
});
