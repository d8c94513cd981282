import assert from "node:assert/strict";
import { test } from "node:test";
import { type Item, userMessage } from "../../src/protocol/items.ts";
import { dataEvents } from "../support/wire-server.ts";
import { chunk, ending, opened } from "./chat-wire.ts";
import { asking, collect, finishIn, itemsIn, pythonTool, withTwoCalls } from "./collect.ts";

test("Ollama's whole calls at one place are several", async () => {
  const { server, model } = await opened("ollama/qwen3");
  const whole = (id: string, code: string) => ({
    index: 0,
    id,
    type: "function",
    function: { name: "python_repl", arguments: code },
  });
  server.answer({
    pieces: dataEvents(
      chunk({ role: "assistant", content: "", tool_calls: [whole("call_x1", '{"code":"1"}')] }),
      chunk({ role: "assistant", content: "", tool_calls: [whole("call_x2", '{"code":"2"}')] }),
      ending("stop"),
    ),
  });
  const events = await collect(model, asking({ tools: [pythonTool] }));
  assert.deepEqual(
    itemsIn(events).map((item) => item.type === "function_call" && [item.call_id, item.arguments]),
    [
      ["call_x1", '{"code":"1"}'],
      ["call_x2", '{"code":"2"}'],
    ],
  );
  assert.deepEqual(finishIn(events), { type: "finish", reason: "tool-calls" });
});

test("calls without ids and places get ids that no other call of the conversation has", async () => {
  const { server, model } = await opened("llamacpp/default");
  const bare = (code: string) => ({ function: { name: "python_repl", arguments: { code } } });
  const pieces = dataEvents(chunk({ tool_calls: [bare("1"), bare("2")] }), ending("tool_calls"));
  server.answer({ pieces }, { pieces });
  const first = itemsIn(await collect(model, asking({ tools: [pythonTool] })));
  const answers = first.map(
    (item): Item => ({
      type: "function_call_output",
      call_id: item.type === "function_call" ? item.call_id : "",
      output: "",
    }),
  );
  const second = itemsIn(
    await collect(model, asking({ input: [userMessage("?"), ...first, ...answers], tools: [pythonTool] })),
  );
  const ids = [...first, ...second].map((item) => (item.type === "function_call" ? item.call_id : ""));
  assert.equal(new Set(ids).size, 4);
  assert.ok(ids.every((id) => /^call_[0-9a-f]{24}$/.test(id)));
  assert.deepEqual(
    second.map((item) => item.type === "function_call" && item.arguments),
    ['{"code":"1"}', '{"code":"2"}'],
  );
});

test("a server that numbers the calls of every answer anew does not confuse them", async () => {
  const { server, model } = await opened();
  const pieces = dataEvents(
    chunk({ tool_calls: [{ index: 0, id: "call_a", function: { name: "python_repl", arguments: "{}" } }] }),
    ending("tool_calls"),
  );
  server.answer({ pieces });
  const [item] = itemsIn(await collect(model, asking({ input: withTwoCalls(), tools: [pythonTool] })));
  assert.match(item?.type === "function_call" ? item.call_id : "", /^call_[0-9a-f]{24}$/);
});

test("vLLM's parts that repeat name and id of their call are one call", async () => {
  const { server, model } = await opened("vllm/Qwen/Qwen3-32B");
  const part = (text: string) => ({
    index: 0,
    id: "chatcmpl-tool-1",
    function: { name: "python_repl", arguments: text },
  });
  server.answer({
    pieces: dataEvents(
      chunk({ tool_calls: [part('{"co')] }),
      chunk({ tool_calls: [part('de":"1"}')] }),
      chunk({ tool_calls: [part("")] }),
      ending("tool_calls"),
    ),
  });
  const items = itemsIn(await collect(model, asking({ tools: [pythonTool] })));
  assert.deepEqual(items, [
    {
      type: "function_call",
      call_id: "chatcmpl-tool-1",
      name: "python_repl",
      arguments: '{"code":"1"}',
      status: "completed",
    },
  ]);
  assert.equal(server.body().model, "Qwen/Qwen3-32B");
});
