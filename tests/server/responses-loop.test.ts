import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/protocol/items.ts";
import { usageOf } from "../../src/protocol/usage.ts";
import { codeInterpreter, python, startTestServer } from "./response-server.ts";

const server = await startTestServer();

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output: Record<string, unknown>[];
  readonly incomplete_details: unknown;
  readonly usage: Record<string, unknown>;
}

async function ask(body: object): Promise<Answer> {
  const response = await server.post("/responses", { input: "go", ...body });
  const answer = (await response.json()) as Answer;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

function typesOf({ output }: Answer): unknown[] {
  return output.map(({ type }) => type);
}

const weather = { type: "function", name: "weather", parameters: { type: "object" } };
const mail = { type: "function", name: "mail", parameters: { type: "object" } };

test("a forced tool is forced once, and then the model chooses", async () => {
  const model = server.script(python("1"), "Done.");
  await ask({ tools: [codeInterpreter], tool_choice: { type: "code_interpreter" } });
  assert.deepEqual(
    model.requests.map(({ toolChoice }) => toolChoice),
    [{ type: "function", name: "python_repl" }, "auto"],
  );
});

test("with tool_choice none the model has no tools at all", async () => {
  const model = server.script("Without.");
  await ask({ tools: [codeInterpreter, weather], tool_choice: "none" });
  assert.deepEqual(model.requests[0]?.tools, []);
});

test("allowed_tools is enforced: another tool is not offered, and a call of it is not passed on", async () => {
  const model = server.script({ calls: [{ name: "mail", arguments: {} }] }, "I may not.");
  const answer = await ask({
    tools: [codeInterpreter, weather, mail],
    tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "weather" }] },
  });
  assert.deepEqual(
    model.requests[0]?.tools.map((tool) => (tool.type === "function" ? tool.name : tool.type)),
    ["weather"],
  );
  assert.deepEqual(
    model.requests.map(({ toolChoice }) => toolChoice),
    ["required", "auto"],
  );
  assert.deepEqual(typesOf(answer), ["message"]);
});

test("functions are declared to the model as the client wrote them", async () => {
  const parameters = { type: "object", properties: { city: { type: "string", default: "Rome" } } };
  const model = server.script("Fine.");
  await ask({ tools: [{ ...weather, description: "The weather.", parameters }] });
  assert.deepEqual(model.requests[0]?.tools, [
    { type: "function", name: "weather", description: "The weather.", parameters, strict: false },
  ]);
});

test("a client's function of the name python_repl leaves the code interpreter another name", async () => {
  const model = server.script({ calls: [{ name: "python", arguments: { code: "1" } }] }, "Done.");
  const answer = await ask({ tools: [codeInterpreter, { ...weather, name: "python_repl" }] });
  assert.deepEqual(typesOf(answer), ["code_interpreter_call", "message"]);
  assert.deepEqual(
    model.requests[0]?.tools.map((tool) => (tool.type === "function" ? tool.name : "")),
    ["python", "python_repl"],
  );
});

test("hosted calls of a step are run before the client's functions are handed over", async () => {
  server.script({
    calls: [
      { name: "weather", arguments: {}, callId: "call_w" },
      { name: "python_repl", arguments: { code: "6 * 7" } },
    ],
  });
  const answer = await ask({ tools: [codeInterpreter, weather], include: ["code_interpreter_call.outputs"] });
  assert.equal(answer.status, "completed");
  assert.deepEqual(typesOf(answer), ["function_call", "code_interpreter_call"]);
  assert.deepEqual(answer.output[1]?.outputs, [{ type: "logs", logs: "42" }]);
});

test("max_tool_calls caps the code that is run; what is called beyond it is ignored", async () => {
  const model = server.script(python("x = 1"), python("x = 2"), "Done.");
  const answer = await ask({ tools: [codeInterpreter], max_tool_calls: 1 });
  assert.deepEqual(typesOf(answer), ["code_interpreter_call", "message"]);
  assert.match(JSON.stringify(model.requests[2]?.input.at(-1)), /LimitReached/);
});

test("without parallel_tool_calls only the first call of a step is heard", async () => {
  const model = server.script({
    calls: [
      { name: "weather", arguments: { city: "Rome" } },
      { name: "weather", arguments: { city: "Oslo" } },
    ],
  });
  const answer = await ask({ tools: [weather], parallel_tool_calls: false });
  assert.deepEqual(
    answer.output.map((item) => item.arguments),
    ['{"city":"Rome"}'],
  );
  assert.equal(model.requests[0]?.parallelToolCalls, false);
});

test("max_output_tokens bounds the whole response", async () => {
  const usage = usageOf({ input: 5, output: 60 });
  const model = server.script(
    { calls: [{ name: "python_repl", arguments: { code: "1" } }], usage },
    {
      text: "Cut",
      usage: usageOf({ input: 5, output: 40 }),
      finish: "length",
    },
  );
  const answer = await ask({ tools: [codeInterpreter], max_output_tokens: 100 });
  assert.deepEqual(
    model.requests.map(({ maxOutputTokens }) => maxOutputTokens),
    [100, 40],
  );
  assert.equal(answer.status, "incomplete");
  assert.deepEqual(answer.incomplete_details, { reason: "max_output_tokens" });
  assert.equal(answer.output.at(-1)?.status, "incomplete");
});

test("usage is the sum of all that the model was asked", async () => {
  server.script(
    {
      calls: [{ name: "python_repl", arguments: { code: "1" } }],
      usage: usageOf({ input: 10, output: 3, cached: 2 }),
    },
    { text: "One.", usage: usageOf({ input: 20, output: 4, reasoning: 1 }) },
  );
  const { usage } = await ask({ tools: [codeInterpreter] });
  assert.deepEqual(usage, {
    input_tokens: 30,
    input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 37,
  });
});

test("settings and the format of the text reach the model", async () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const model = server.script('{"n":1}');
  await ask({
    instructions: "Be brief.",
    temperature: 0.2,
    top_p: 0.5,
    reasoning: { effort: "low" },
    text: { format: { type: "json_schema", name: "numbers", schema, strict: true } },
  });
  const [request] = model.requests;
  const { instructions, temperature, topP, reasoningEffort, textFormat } = request ?? {};
  assert.deepEqual(
    { instructions, temperature, topP, reasoningEffort, textFormat },
    {
      instructions: "Be brief.",
      temperature: 0.2,
      topP: 0.5,
      reasoningEffort: "low",
      textFormat: { name: "numbers", schema, strict: true },
    },
  );
});

test("code that a client replays is told to the model as a call with its output, and its container goes on", async () => {
  server.script(python("x = 5\nx"), "Five.");
  const first = await ask({
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
    store: false,
  });
  const model = server.script(python("x + 1"), "Six.");
  const second = await ask({
    input: [{ role: "user", content: "go" }, ...first.output, { role: "user", content: "again" }],
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
    store: false,
  });
  assert.deepEqual(
    model.requests[0]?.input.map((item) => item.type),
    ["message", "function_call", "function_call_output", "message", "message"],
  );
  assert.deepEqual(second.output[0]?.outputs, [{ type: "logs", logs: "6" }]);
  assert.equal(second.output[0]?.container_id, first.output[0]?.container_id);
});

test("reasoning goes back to its model word for word, through the store and through the client", async () => {
  const item: Item = {
    type: "reasoning",
    id: "rs_1",
    summary: [],
    encrypted_content: "sealed by its provider",
  };
  server.script({ items: [item], text: "One." });
  const first = await ask({ include: ["reasoning.encrypted_content"] });
  const model = server.script("Two.", "Three.");
  await ask({ previous_response_id: first.id, input: "on" });
  await ask({ input: [{ role: "user", content: "go" }, ...first.output, { role: "user", content: "on" }] });
  for (const { input } of model.requests) assert.deepEqual(input[1], item);
});

test("what a model writes that is no JSON is a failed call, and the model is told", async () => {
  const model = server.script({ calls: [{ name: "python_repl", arguments: '{"code": "1' }] }, "Sorry.");
  const answer = await ask({ tools: [codeInterpreter], include: ["code_interpreter_call.outputs"] });
  assert.equal(answer.output[0]?.status, "failed");
  assert.match(JSON.stringify(answer.output[0]?.outputs), /not JSON/);
  assert.match(JSON.stringify(model.requests[1]?.input.at(-1)), /BadArguments/);
});

test("a conversation that grows too long is summarised, and the summary stands for it from then on", async () => {
  const long = "word ".repeat(2000);
  server.script("Noted.");
  const first = await ask({ input: long });
  const model = server.script("A summary.", "Answer.", "Further.");
  const second = await ask({
    input: "And now?",
    previous_response_id: first.id,
    context_management: [{ type: "compaction", compact_threshold: 1000 }],
  });
  assert.deepEqual(typesOf(second), ["compaction", "message"]);
  await ask({ input: "More?", previous_response_id: second.id });
  const told = model.requests[2]?.input.map((item) =>
    item.type === "compaction" ? item.encrypted_content : item.type === "message" ? item.role : item.type,
  );
  assert.deepEqual(told, ["A summary.", "user", "assistant", "user"]);
});

test("truncation auto leaves the oldest turns out where the conversation is too long", async () => {
  server.script("Noted.");
  const first = await ask({ input: "word ".repeat(120_000) });
  const model = server.script("Answer.", "Answer.");
  await ask({ input: "And now?", previous_response_id: first.id, truncation: "auto" });
  await ask({ input: "And now?", previous_response_id: first.id });
  assert.deepEqual(
    model.requests.map(({ input }) => input.length),
    [1, 3],
  );
});
