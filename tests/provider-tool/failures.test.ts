import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, test } from "node:test";
import { OpenAI } from "openai";
import type { HostedEvent } from "../../src/tools/openai-code-interpreter/hosted-events.ts";
import type { HostedRunOptions } from "../../src/tools/openai-code-interpreter/hosted-run.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import { startOpenAIServer } from "./openai-server.ts";
import { AUTO_CONTAINER, codeCall, fileCitation, message, refusal, response } from "./recorded.ts";

const server = await startOpenAIServer();
const tool = new OpenAICodeInterpreterTool({ container: { type: "auto" } });

const ask = (options: Partial<HostedRunOptions> = {}) =>
  runHosted({ tool, client: server.client(), model: "gpt-5.1", input: "Go.", ...options });

beforeEach(() => {
  server.requests.length = 0;
});

test("a call that the provider reports as failed is no success", async () => {
  server.answerWith(response([codeCall({ status: "failed", outputs: null }), message("It did not work.")]));
  const [result] = (await ask()).toolResults;
  assert.deepEqual(
    [result?.success, result?.value.exitCode, result?.value.status, result?.message],
    [false, 1, "failed", "The provider reports that the code interpreter failed."],
  );
});

test("a call that was cut short is no success, and its exit code is not known", async () => {
  const calls = [codeCall({ status: "incomplete", outputs: [{ type: "logs", logs: "half\n" }] })];
  server.answerWith(
    response(calls, { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
  );
  const run = await ask();
  assert.equal(run.finishReason, "length");
  assert.deepEqual(
    run.toolResults.map(({ success, value, message: said }) => [success, value.exitCode, said]),
    [[false, null, "half\nThe provider ended the call before the code had finished."]],
  );
});

test("a silent call is a success whose exit code is not known", async () => {
  server.answerWith(
    response([codeCall({ outputs: [] }), codeCall({ code: null, outputs: null }), message("ok")]),
  );
  const { toolResults } = await ask();
  assert.deepEqual(
    toolResults.map(({ success, value, message: said }) => [success, value.exitCode, value.code, said]),
    [
      [true, null, "print(6 * 7)", "Code executed. No output."],
      [true, null, "", "Code executed. No output."],
    ],
  );
});

test("a traceback at the end of the logs is a failure with exit code 1, and citations are kept", async () => {
  const traceback =
    "Traceback (most recent call last):\n  File \"<cell>\", line 2, in <module>\nKeyError: 'price'";
  const half = fileCitation({ file: "cfile_1", filename: "half.csv" });
  const call = codeCall({ code: "work()", outputs: [{ type: "logs", logs: `read 3 rows\n${traceback}\n` }] });
  server.answerWith(response([call, message("It broke off.", [half])]));
  assert.deepEqual((await ask()).toolResults, [
    {
      message: `read 3 rows\n${traceback}`,
      success: false,
      value: {
        code: "work()",
        stdout: "read 3 rows\n",
        stderr: traceback,
        exitCode: 1,
        citations: [half],
        containerId: AUTO_CONTAINER,
        images: [],
        status: "completed",
      },
    },
  ]);
});

test("a filtered answer has its own finish reason", async () => {
  const cut = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
  server.answerWith(response([message("I can")], cut));
  const run = await ask();
  assert.deepEqual([run.finishReason, run.text], ["content-filter", "I can"]);
});

test("a filtered answer is an error where output was required", async () => {
  const cut = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
  const required: Partial<HostedRunOptions>[] = [
    { requireOutput: true },
    { toolChoice: "required" },
    { textFormat: { name: "answer", schema: { type: "object" } } },
  ];
  for (const options of required) {
    const events: HostedEvent[] = [];
    server.answerWith(response([], cut));
    const run = ask({ ...options, onEvent: (event) => events.push(event) });
    await assert.rejects(run, { code: "content-filtered", message: /required \(request req_\d\)/ });
    const last = events.at(-1);
    assert.equal(last?.type === "hosted-response" && last.finishReason, "content-filter");
  }
});

test("a refusal of the model counts as filtered", async () => {
  const refusing = message("");
  refusing.content = [{ type: "refusal", refusal: "I cannot help with that." } as never];
  server.answerWith(response([refusing]));
  const run = await ask();
  assert.deepEqual([run.finishReason, run.text], ["content-filter", "I cannot help with that."]);
});

test("a request that the filter stops is an error of that kind", async () => {
  server.answerWith(refusal("The prompt was filtered.", "content_filter"), { status: 400 });
  await assert.rejects(ask(), { code: "content-filtered", message: /other words/ });
});

const refusals: [string, number, unknown, string, RegExp][] = [
  [
    "a wrong key",
    401,
    refusal("Incorrect API key provided.", "invalid_api_key"),
    "model-refused",
    /OPENAI_API_KEY/,
  ],
  ["a model that there is not", 404, refusal("The model `gpt-9` does not exist"), "model-refused", /`gpt-9`/],
  [
    "too many requests",
    429,
    refusal("Rate limit reached", "rate_limit_exceeded"),
    "model-unreachable",
    /later/,
  ],
  ["a server in trouble", 503, refusal("The server is overloaded"), "model-unreachable", /later/],
  ["an answer that is no response", 200, { hello: "world" }, "model-protocol", /Responses API/],
];

for (const [what, status, body, code, text] of refusals) {
  test(`${what} is told with its fix`, async () => {
    const events: HostedEvent[] = [];
    server.answerWith(body, { status });
    await assert.rejects(ask({ onEvent: (event) => events.push(event) }), {
      name: "GloveboxError",
      code,
      message: text,
    });
    assert.deepEqual(
      events.map(({ type }) => type),
      ["hosted-request", "hosted-failed"],
    );
    const failed = events.at(-1);
    assert.equal(failed?.type === "hosted-failed" && failed.code, code);
  });
}

test("a response that failed is told with the provider's words and the request", async () => {
  server.answerWith(
    response([], { status: "failed", error: { code: "server_error", message: "The model broke." } }),
  );
  await assert.rejects(ask(), { code: "model-unreachable", message: /The model broke\. \(request req_1\)/ });
});

test("a server that is not there is told as such", async () => {
  const gone = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => gone.once("listening", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const client = new OpenAI({ apiKey: "sk-test", baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
  await assert.rejects(ask({ client }), { code: "model-unreachable", message: /OPENAI_BASE_URL/ });
});

test("a run that is cancelled says so", async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(ask({ signal }), { code: "aborted" });
  assert.deepEqual(server.requests, []);
});
