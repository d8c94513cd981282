import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { EventBus } from "../../src/support/event-bus.ts";
import type { HostedEvent } from "../../src/tools/openai-code-interpreter/hosted-events.ts";
import type { HostedRunOptions } from "../../src/tools/openai-code-interpreter/hosted-run.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import { startOpenAIServer } from "./openai-server.ts";
import { AUTO_CONTAINER, codeCall, fileCitation, message, reasoning, response } from "./recorded.ts";

const server = await startOpenAIServer();
const tool = new OpenAICodeInterpreterTool({ container: { type: "auto", memory_limit: "4g" } });

const ask = (options: Partial<HostedRunOptions> = {}) =>
  runHosted({ tool, client: server.client(), model: "gpt-5.1", input: "What is 6 times 7?", ...options });

beforeEach(() => {
  server.requests.length = 0;
});

test("a run gives the text, what each call came to, and what it cost", async () => {
  const plot = fileCitation({ file: "cfile_1", filename: "plot.png", at: 12 });
  const answer = message("42. See [it](sandbox:/mnt/data/plot.png)", [plot]);
  const call = codeCall({
    outputs: [
      { type: "logs", logs: "42\n" },
      { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
    ],
  });
  server.answerWith(response([reasoning, call, answer]));
  const run = await ask();
  const { tool: used, items, ...told } = run;
  assert.equal(used, tool);
  assert.deepEqual(
    items.map(({ type }) => type),
    ["reasoning", "code_interpreter_call", "message"],
  );
  const value = {
    code: "print(6 * 7)",
    stdout: "42\n",
    stderr: "",
    exitCode: 0,
    citations: [plot],
    containerId: AUTO_CONTAINER,
    images: ["data:image/png;base64,iVBORw0KGgo="],
    status: "completed",
  };
  assert.deepEqual(told, {
    text: "42. See [it](sandbox:/mnt/data/plot.png)",
    toolResults: [{ message: "42", value, success: true }],
    citations: [plot],
    finishReason: "stop",
    responseId: "resp_690aa1f1e0c48190",
    requestId: "req_1",
    model: "gpt-5.1-2025-11-13",
    containerId: AUTO_CONTAINER,
    memoryTier: "4g",
    usage: {
      input_tokens: 1380,
      input_tokens_details: { cached_tokens: 1024 },
      output_tokens: 96,
      output_tokens_details: { reasoning_tokens: 32 },
      total_tokens: 1476,
    },
    files: [],
  });
});

test("instructions and question go into the input, and outputs are asked for", async () => {
  server.answerWith(response([message("ok")]));
  await ask({ instructions: "Answer shortly.", maxOutputTokens: 300, previousResponseId: "resp_0" });
  assert.deepEqual(server.requests, [
    {
      line: "POST /responses",
      body: {
        model: "gpt-5.1",
        input: [
          { type: "message", role: "developer", content: [{ type: "input_text", text: "Answer shortly." }] },
          { type: "message", role: "user", content: [{ type: "input_text", text: "What is 6 times 7?" }] },
        ],
        tools: [{ type: "code_interpreter", container: { type: "auto", memory_limit: "4g" } }],
        tool_choice: "auto",
        include: ["code_interpreter_call.outputs"],
        max_output_tokens: 300,
        previous_response_id: "resp_0",
      },
    },
  ]);
});

test("the tool is forced where that is asked for", async () => {
  for (const toolChoice of ["auto", "required", { type: "code_interpreter" }] as const) {
    server.answerWith(response([codeCall({}), message("ok")]));
    await ask({ toolChoice });
  }
  assert.deepEqual(
    server.bodies("POST /responses").map((body) => (body as { tool_choice: unknown }).tool_choice),
    ["auto", "required", { type: "code_interpreter" }],
  );
});

test("a shape for the answer stands beside the tool, and the last message is read by it", async () => {
  const schema = {
    type: "object",
    properties: { product: { type: "number" } },
    required: ["product"],
    additionalProperties: false,
  };
  server.answerWith(response([message("I compute it."), codeCall({}), message('{"product":42}')]));
  const run = await ask({ toolChoice: "required", textFormat: { name: "product", schema } });
  assert.deepEqual(run.parsed, { product: 42 });
  const [body] = server.bodies("POST /responses") as [Record<string, unknown>];
  assert.deepEqual(
    { text: body.text, tools: body.tools, tool_choice: body.tool_choice },
    {
      text: { format: { type: "json_schema", name: "product", schema, strict: true } },
      tools: [{ type: "code_interpreter", container: { type: "auto", memory_limit: "4g" } }],
      tool_choice: "required",
    },
  );
});

test("an answer that breaks its shape is an error", async () => {
  server.answerWith(response([message("forty-two")]));
  await assert.rejects(ask({ textFormat: { name: "product", schema: { type: "object" } } }), {
    code: "model-protocol",
    message: /not the JSON/,
  });
});

test("a message's citations belong to the last call in their container before it", async () => {
  const first = fileCitation({ file: "cfile_1", filename: "a.csv" });
  const other = fileCitation({ file: "cfile_2", filename: "b.csv", container: "cntr_other" });
  const stray = fileCitation({ file: "cfile_3", filename: "c.csv", container: "cntr_unknown" });
  const url = { type: "url_citation", url: "https://example.org", title: "x", start_index: 0, end_index: 1 };
  server.answerWith(
    response([
      codeCall({ id: "ci_1", container: "cntr_other" }),
      codeCall({ id: "ci_2" }),
      codeCall({ id: "ci_3" }),
      message("files", [first, other, stray, url]),
      codeCall({ id: "ci_4" }),
    ]),
  );
  const run = await ask();
  assert.deepEqual(
    run.toolResults.map(({ value }) => value.citations.map(({ file_id }) => file_id)),
    [["cfile_2"], [], ["cfile_1"], []],
  );
  assert.deepEqual(run.citations, [first, other, stray]);
});

test("parts of an answer that are not known are left out, the rest is read", async () => {
  const call = codeCall({
    outputs: [
      { type: "video", url: "x" },
      { type: "logs", logs: "1" },
    ],
  });
  const said = message("one");
  said.content.push({ type: "output_hologram" } as never);
  server.answerWith(response([{ type: "future_call", id: "f_1" }, "nonsense", call, said], { usage: null }));
  const run = await ask();
  assert.deepEqual(
    [run.text, run.toolResults.map((result) => result.message), run.usage.total_tokens],
    ["one", ["1"], 0],
  );
});

test("every event names the model, the memory tier and the container, and the answer's its request", async () => {
  const events: HostedEvent[] = [];
  const heard: string[] = [];
  const bus = new EventBus<HostedEvent>();
  bus.on((event) => heard.push(event.type));
  server.answerWith(response([codeCall({}), message("42")]));
  await ask({ events: bus, onEvent: (event) => events.push(event), maxOutputTokens: 64 });
  const facts = { model: "gpt-5.1-2025-11-13", memoryTier: "4g", containerId: AUTO_CONTAINER };
  assert.deepEqual(events, [
    { type: "hosted-request", model: "gpt-5.1", memoryTier: "4g", maxOutputTokens: 64 },
    { type: "hosted-call", ...facts, callId: "ci_690aa1f6d1e08190b2", status: "completed", success: true },
    {
      type: "hosted-response",
      ...facts,
      requestId: "req_1",
      responseId: "resp_690aa1f1e0c48190",
      finishReason: "stop",
      usage: {
        input_tokens: 1380,
        input_tokens_details: { cached_tokens: 1024 },
        output_tokens: 96,
        output_tokens_details: { reasoning_tokens: 32 },
        total_tokens: 1476,
      },
    },
  ]);
  assert.deepEqual(heard, ["hosted-request", "hosted-call", "hosted-response"]);
});

test("a run uses the client of the environment where none is given", async () => {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url } = process.env;
  Object.assign(process.env, { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.baseURL });
  try {
    server.answerWith(response([message("hello")]));
    const run = await runHosted({ tool, model: "gpt-5.1", input: "hello" });
    assert.equal(run.text, "hello");
  } finally {
    restore("OPENAI_API_KEY", key);
    restore("OPENAI_BASE_URL", url);
  }
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
