import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/protocol/items.ts";
import { sseResponse } from "../../src/server/responses/sse.ts";
import { codeInterpreter, python, readSse, type SseEvent, startTestServer } from "./response-server.ts";

const server = await startTestServer();

interface Ended {
  readonly status: string;
  readonly error: { readonly message: string } | null;
  readonly output: readonly {
    readonly type: string;
    readonly outputs?: unknown;
    readonly encrypted_content?: unknown;
    readonly content?: readonly { readonly text: string; readonly annotations: Record<string, unknown>[] }[];
  }[];
}

function lastResponse(events: readonly SseEvent[]): Ended {
  const last = events.at(-1);
  assert.ok(last);
  return last.response as Ended;
}

/** The types in order, deltas in a row as one. */
function inShort(events: readonly SseEvent[]): string[] {
  const types = events.map(({ type }) => type);
  return types.filter((type, at) => !(type.endsWith(".delta") && types[at - 1] === type));
}

async function streamed(body: object, headers: Record<string, string> = {}): Promise<SseEvent[]> {
  const response = await server.post("/responses", { ...body, stream: true }, headers);
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  return (await readSse(response)).events;
}

test("a call and an answer are streamed in OpenAI's order, numbered without gaps", async () => {
  server.script(python("print('hi')\n1 + 1"), "Two.");
  const events = await streamed({
    input: "go",
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
  });
  assert.deepEqual(inShort(events), [
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.code_interpreter_call.in_progress",
    "response.code_interpreter_call_code.delta",
    "response.code_interpreter_call_code.done",
    "response.code_interpreter_call.interpreting",
    "response.code_interpreter_call.completed",
    "response.output_item.done",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  assert.deepEqual(
    events.map((event) => event.sequence_number),
    events.map((_, at) => at),
  );
  const done = events.find((event) => event.type === "response.output_item.done");
  assert.ok(done);
  const { id, container_id, ...item } = done.item as Record<string, unknown>;
  assert.match(String(id), /^ci_[0-9a-f]+$/);
  assert.match(String(container_id), /^cntr_[0-9a-f]+$/);
  assert.deepEqual(item, {
    type: "code_interpreter_call",
    status: "completed",
    code: "print('hi')\n1 + 1",
    outputs: [{ type: "logs", logs: "hi\n2" }],
  });
});

test("outputs are null for those who do not ask for them", async () => {
  server.script(python("1 + 1"), "Two.");
  const events = await streamed({ input: "go", tools: [codeInterpreter] });
  const items = events.flatMap((event) => (event.item ? [event.item as Record<string, unknown>] : []));
  assert.deepEqual(
    items.filter((item) => item.type === "code_interpreter_call").map((item) => item.outputs),
    [null, null],
  );
});

test("two calls of one step are written one after the other and run in order", async () => {
  server.script(
    {
      calls: [
        { name: "python_repl", arguments: { code: "a = 1" } },
        { name: "python_repl", arguments: { code: "a + 1" } },
      ],
    },
    "Done.",
  );
  const events = await streamed({
    input: "go",
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
  });
  const steps = events
    .filter((event) => /code\.done|interpreting|call\.completed/.test(event.type))
    .map((event) => `${event.output_index} ${event.type.split(".").slice(1).join(".")}`);
  assert.deepEqual(steps, [
    "0 code_interpreter_call_code.done",
    "1 code_interpreter_call_code.done",
    "0 code_interpreter_call.interpreting",
    "0 code_interpreter_call.completed",
    "1 code_interpreter_call.interpreting",
    "1 code_interpreter_call.completed",
  ]);
  const final = lastResponse(events);
  assert.deepEqual(
    final.output.slice(0, 2).map(({ outputs }) => outputs),
    [[], [{ type: "logs", logs: "2" }]],
  );
});

test("a function of the client's is streamed with its arguments and ends the response", async () => {
  server.script({
    text: "I ask.",
    calls: [{ name: "weather", arguments: { city: "Rome" }, callId: "call_w" }],
  });
  const events = await streamed({ input: "go", tools: [{ type: "function", name: "weather" }] });
  assert.deepEqual(inShort(events).slice(8), [
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const written = events
    .filter((event) => event.type === "response.function_call_arguments.delta")
    .map(({ delta }) => delta);
  assert.equal(written.join(""), '{"city":"Rome"}');
});

test("reasoning is streamed as a summary, before what it led to", async () => {
  const item: Item = { type: "reasoning", id: "rs_given", summary: [], encrypted_content: "sealed" };
  server.script({ items: [item], text: "So it is." });
  const events = await streamed({ input: "go", include: ["reasoning.encrypted_content"] });
  const [reasoning, message] = lastResponse(events).output;
  assert.equal(reasoning?.type, "reasoning");
  assert.equal(typeof reasoning?.encrypted_content, "string");
  assert.equal(message?.type, "message");
});

test("what a cell prints is streamed while it runs, to those who ask for it and to nobody else", async () => {
  server.script(python("print('now', flush=True)"), "Done.", python("print('now', flush=True)"), "Done.");
  const asked = await streamed({ input: "go", tools: [codeInterpreter] }, { "x-glovebox-stream": "stdout" });
  const printed = asked.filter((event) => event.type === "glovebox.code_interpreter_call.stdout.delta");
  assert.equal(printed.map(({ delta }) => delta).join(""), "now\n");
  const others = await streamed({ input: "go", tools: [codeInterpreter] });
  assert.deepEqual(
    others.filter((event) => !event.type.startsWith("response.")),
    [],
  );
});

test("what a cell came to is told as a whole to those who ask for it", async () => {
  server.script(python("{'a': 1}"), "Done.");
  const asked = await streamed({ input: "go", tools: [codeInterpreter] }, { "x-glovebox-stream": "result" });
  const extra = asked.filter((event) => !event.type.startsWith("response."));
  const { duration_ms, ...result } = (extra[0]?.result ?? {}) as Record<string, unknown>;
  assert.deepEqual(
    { types: extra.map(({ type }) => type), result, timed: typeof duration_ms },
    {
      types: ["glovebox.code_interpreter_call.result"],
      result: { kind: "object", repr: "{'a': 1}", json: { a: 1 }, cell: 1 },
      timed: "number",
    },
  );
});

test("citations come after the last delta and span the links in the text, an emoji before them or not", async () => {
  server.script(
    python("for name in ('a.csv', 'a b.csv', 'c.txt'):\n    open(name, 'w').write(name)"),
    "📈 See [a](sandbox:/mnt/data/a.csv), [b](sandbox:/mnt/data/a%20b.csv), [no](sandbox:/mnt/data/none.csv).",
  );
  const events = await streamed({ input: "go", tools: [codeInterpreter] });
  const { output } = lastResponse(events);
  const [part] = output[1]?.content ?? [];
  const cited = part?.annotations.map(({ filename, start_index, end_index }) => [
    filename,
    part.text.slice(Number(start_index), Number(end_index)),
  ]);
  assert.deepEqual(cited, [
    ["a.csv", "sandbox:/mnt/data/a.csv"],
    ["a b.csv", "sandbox:/mnt/data/a%20b.csv"],
    ["c.txt", ""],
  ]);
  const added = events.filter((event) => event.type === "response.output_text.annotation.added");
  assert.deepEqual(
    added.map(({ annotation }) => annotation),
    part?.annotations,
  );
  const types = events.map(({ type }) => type);
  assert.ok(
    types.lastIndexOf("response.output_text.delta") < types.indexOf("response.output_text.annotation.added"),
  );
});

test("a model that fails in the middle ends the stream with an error and a failed response", async () => {
  server.script({ text: "Half an ans", error: new Error("boom") });
  const events = await streamed({ input: "go" });
  assert.deepEqual(inShort(events).slice(-5), [
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "error",
    "response.failed",
  ]);
  const failed = lastResponse(events);
  assert.equal(failed.status, "failed");
  assert.ok(!JSON.stringify(failed.error).includes("boom"));
});

test("what is wrong with a request is an ordinary answer, not a stream", async () => {
  const response = await server.post("/responses", {
    input: "x",
    stream: true,
    previous_response_id: "resp_none",
  });
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), {
    error: {
      message: "Previous response with id 'resp_none' not found.",
      type: "invalid_request_error",
      param: "previous_response_id",
      code: "previous_response_not_found",
    },
  });
});

test("while a model says nothing, comments keep the connection alive", async () => {
  const said = Promise.withResolvers<void>();
  let comments = 0;
  async function* texts() {
    await said.promise;
    yield "data: {}\n\n";
  }
  const response = sseResponse(texts(), { keepaliveMs: 1, onGone: () => {} });
  let whole = "";
  for await (const chunk of response.body ?? []) {
    whole += Buffer.from(chunk).toString();
    comments += 1;
    if (comments === 3) said.resolve();
  }
  assert.match(whole, /^(?:: keepalive\n\n){3,}data: \{\}\n\n$/);
});
