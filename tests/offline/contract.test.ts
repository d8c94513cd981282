import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEvent, ModelRequest } from "../../src/models/model.ts";
import { offlineAnalyst } from "../../src/models/offline/offline-analyst.ts";
import { type FunctionCallItem, type Item, userMessage } from "../../src/protocol/items.ts";
import type { FunctionSpec } from "../../src/protocol/tool-specs.ts";
import { noUsage } from "../../src/protocol/usage.ts";

const offered = ["python_repl", "list_csv_files", "load_csv_handle"].map(
  (name): FunctionSpec => ({ type: "function", name, description: "", parameters: {}, strict: true }),
);

function request(input: readonly Item[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { instructions: "", input, tools: offered, signal: new AbortController().signal, ...more };
}

async function eventsOf(asked: ModelRequest): Promise<ModelEvent[]> {
  return await Array.fromAsync(offlineAnalyst().stream(asked));
}

function callsIn(events: readonly ModelEvent[]): FunctionCallItem[] {
  return events.flatMap((event) =>
    event.type === "item" && event.item.type === "function_call" ? [event.item] : [],
  );
}

const answered = (call: FunctionCallItem, output: unknown): Item[] => [
  call,
  { type: "function_call_output", call_id: call.call_id, output: JSON.stringify(output) },
];

const someFiles = { kind: "object", json: { files: [{ name: "a", path: "a.csv", bytes: 1 }] } };

test("it is called offline and begins by listing the files", async () => {
  const { name, provider } = offlineAnalyst();
  const events = await eventsOf(request([userMessage("What is in here?")]));
  assert.deepEqual([name, provider], ["offline", "offline"]);
  assert.deepEqual(
    callsIn(events).map((call) => [call.name, call.arguments]),
    [["list_csv_files", "{}"]],
  );
  assert.deepEqual(events.at(-1), { type: "finish", reason: "tool-calls", usage: noUsage });
});

test("a step depends on nothing but what was said", async () => {
  const question = userMessage("Average a by b");
  const [list] = callsIn(await eventsOf(request([question]))) as [FunctionCallItem];
  const input = [question, ...answered(list, someFiles)];
  assert.deepEqual(await eventsOf(request(input)), await eventsOf(request(input)));
});

test("pieces of a call add up to its arguments, and pieces of text to the message", async () => {
  const question = userMessage("How many rows?");
  const [list] = callsIn(await eventsOf(request([question]))) as [FunctionCallItem];
  const loading = await eventsOf(request([question, ...answered(list, someFiles)]));
  const [load] = callsIn(loading) as [FunctionCallItem];
  const written = loading.map((event) => (event.type === "call-delta" ? event.delta : "")).join("");
  assert.equal(written, load.arguments);
  assert.deepEqual(JSON.parse(load.arguments), { name: "a", df_name: "a" });

  const nothing = await eventsOf(
    request([question, ...answered(list, { kind: "object", json: { files: [] } })]),
  );
  const text = nothing.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  const message = nothing.find((event) => event.type === "item")?.item;
  assert.ok(message?.type === "message" && Array.isArray(message.content));
  assert.deepEqual(message.content, [{ type: "output_text", text, annotations: [] }]);
  assert.ok(nothing.filter((event) => event.type === "text-delta").length > 1);
  assert.match(text, /no table here yet/);
});

test("whatever tools answer, a turn ends after at most six calls", async () => {
  const outputs: unknown[] = [
    { kind: "error", name: "ToolFailed", message: "no" },
    someFiles,
    { kind: "dataframe", columns: ["a"], row_count: 2, head: [], meta: { dtypes: {} } },
    { kind: "error", name: "NameError", message: "name 'a' is not defined", traceback: "" },
    { kind: "text", text: '[2, 1]\n[0, "a", true, "number", 2, 0, [], null]' },
    { kind: "object", repr: "{}", json: { rows: "many" } },
    "not an object",
  ];
  for (let first = 0; first < outputs.length; first++) {
    for (let step = 1; step < outputs.length; step++) {
      let input: Item[] = [userMessage("What is the average a?")];
      let calls = 0;
      for (let turn = 0; ; turn++) {
        const made = callsIn(await eventsOf(request(input)));
        if (made.length === 0) break;
        calls += made.length;
        assert.ok(calls <= 6, `${calls} calls`);
        input = [
          ...input,
          ...made.flatMap((call) => answered(call, outputs[(first + turn * step) % outputs.length])),
        ];
      }
      const ids = input.flatMap((item) => (item.type === "function_call" ? [item.call_id] : []));
      assert.equal(new Set(ids).size, ids.length);
    }
  }
});

test("without a tool that it needs it says which", async () => {
  const events = await eventsOf(request([userMessage("What is in here?")], { tools: [] }));
  assert.match(JSON.stringify(events), /python_repl/);
  assert.deepEqual(events.at(-1), { type: "finish", reason: "stop", usage: noUsage });
});

test("an aborted request ends with an abort", async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(eventsOf(request([userMessage("What is in here?")], { signal })), { code: "aborted" });
});
