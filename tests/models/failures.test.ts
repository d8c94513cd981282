import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../../src/models/model.ts";
import { openModel } from "../../src/models/open-model.ts";
import { type Answer, dataEvents, WireServer } from "../support/wire-server.ts";
import { asking, collect, failing, itemsIn, TestClock } from "./collect.ts";

const KEY = "sk-very-secret-key";
const words = { id: "c", choices: [{ index: 0, delta: { content: "42" }, finish_reason: "stop" }] };
const told: Answer = { pieces: dataEvents(words) };

async function opened(more: object = {}): Promise<{ server: WireServer; clock: TestClock; model: Model }> {
  const server = await WireServer.open();
  const clock = new TestClock();
  const model = await openModel("openai-chat/gpt-5.1", {
    env: {},
    baseUrl: `${server.url}/v1`,
    apiKey: KEY,
    clock,
    ...more,
  });
  return { server, clock, model };
}

const saying = (status: number, message: string, headers = {}): Answer => ({
  status,
  headers,
  json: { error: { message, type: "t", code: null } },
});

for (const status of [408, 409, 429, 500, 502, 503, 529]) {
  test(`${status} is tried again, with longer and longer waits`, async () => {
    const { server, clock, model } = await opened();
    server.answer(saying(status, "no"), saying(status, "no"), saying(status, "no"), told);
    assert.equal(itemsIn(await collect(model)).length, 1);
    assert.deepEqual([server.requests.length, clock.waits], [4, [500, 1000, 2000]]);
  });
}

test("who says how long to wait is waited for", async () => {
  const { server, clock, model } = await opened();
  server.answer(
    saying(429, "no", { "retry-after": "3" }),
    saying(503, "no", { "retry-after-ms": "250" }),
    saying(429, "no", { "retry-after": new Date(0).toUTCString() }),
    told,
  );
  await collect(model);
  assert.deepEqual(clock.waits, [3000, 250, 0]);
});

test("tries are bounded, and the error says how many there were", async () => {
  const { server, model } = await opened({ retries: 1 });
  server.answer(saying(503, "Overloaded"), saying(503, "Overloaded"), told);
  const { code, message } = await failing(model);
  assert.deepEqual(
    { code, message, asked: server.requests.length },
    {
      code: "model-unreachable",
      message: "openai-chat answered 503, 2 tries: Overloaded. Ask again later, or take another model.",
      asked: 2,
    },
  );
});

test("a wait that nobody would sit through is told instead", async () => {
  const { server, clock, model } = await opened();
  server.answer(saying(429, "Daily limit", { "retry-after": "7200" }));
  const { code, message } = await failing(model);
  assert.deepEqual(
    [code, message, clock.waits],
    [
      "model-unreachable",
      "openai-chat answered 429: Daily limit. Ask again in 7200 s, or take another model.",
      [],
    ],
  );
});

test("who asks not to be tried again is not", async () => {
  const { server, clock, model } = await opened();
  server.answer(saying(500, "Broken", { "x-should-retry": "false" }));
  assert.equal((await failing(model)).code, "model-unreachable");
  assert.deepEqual(clock.waits, []);
});

test("an account without money left is refused at once", async () => {
  const { server, clock, model } = await opened();
  server.answer({
    status: 429,
    json: { error: { message: "You exceeded your quota.", code: "insufficient_quota" } },
  });
  const { code, message } = await failing(model);
  assert.deepEqual([code, clock.waits], ["model-refused", []]);
  assert.match(message, /plan and billing/);
});

for (const [status, fix] of [
  [400, "Change what it names, or take another model."],
  [401, "Check the key in OPENAI_API_KEY."],
  [403, "The key may lack the right to this model; take another model or key."],
  [404, 'Check the model\'s name and the base URL; "glovebox models" lists what there is.'],
  [422, "Change what it names, or take another model."],
] as const) {
  test(`${status} is refused once, with what was said and what to do`, async () => {
    const { server, model } = await opened();
    server.answer(saying(status, "Not like this."));
    const { code, message } = await failing(model);
    assert.deepEqual(
      { code, message, asked: server.requests.length },
      { code: "model-refused", message: `openai-chat answered ${status}: Not like this. ${fix}`, asked: 1 },
    );
  });
}

test("what a provider says is bounded and never shows the key", async () => {
  const { server, model } = await opened({ headers: { "x-gate": "other-secret" } });
  server.answer(saying(401, `Bad key ${KEY} behind other-secret. ${"x".repeat(5000)}`));
  const { message } = await failing(model);
  assert.match(message, /Bad key \[secret\] behind \[secret\]\. x{100}/);
  assert.ok(message.length < 700, String(message.length));
});

test("the cause of an error does not show the key either", async () => {
  const { server, model } = await opened();
  server.answer(saying(401, `Bad key ${KEY}`));
  await assert.rejects(collect(model), (error: Error) => {
    assert.doesNotMatch(`${error.stack}${(error.cause as Error | undefined)?.stack}`, new RegExp(KEY));
    return true;
  });
});

test("a body that is not JSON is told as it is", async () => {
  const { server, model } = await opened();
  server.answer({
    status: 403,
    headers: { "content-type": "text/html" },
    pieces: ["<h1>Forbidden by the proxy</h1>"],
  });
  const { code, message } = await failing(model);
  assert.equal(code, "model-refused");
  assert.match(message, /openai-chat answered 403: .*Forbidden by the proxy/);
});

test("nobody there: tried again, then said with how to start it", async () => {
  const gone = await WireServer.open();
  const url = `${gone.url}/v1`;
  await gone[Symbol.asyncDispose]();
  const clock = new TestClock();
  const model = await openModel("ollama/qwen3", { env: {}, baseUrl: url, clock });
  const { code, message } = await failing(model);
  assert.equal(code, "model-unreachable");
  assert.equal(
    message,
    `Cannot reach ollama at ${url} (ECONNREFUSED, 4 tries); start it ("ollama serve"), or say where it is: --base-url URL or OLLAMA_BASE_URL=URL.`,
  );
  assert.equal(clock.waits.length, 3);
});

test("a connection that is cut before anything was said is tried again", async () => {
  const { server, model } = await opened();
  server.answer({ pieces: [": hello\n\n"], afterwards: "cut" }, told);
  assert.equal(itemsIn(await collect(model)).length, 1);
});

test("a connection that is cut in the middle of an answer is not tried again", async () => {
  const { server, model } = await opened();
  const heard = Promise.withResolvers<void>();
  const half = { id: "c", choices: [{ index: 0, delta: { content: "4" } }] };
  server.answer(
    { pieces: [`data: ${JSON.stringify(half)}\n\n`, () => heard.promise], afterwards: "cut" },
    told,
  );
  const events: unknown[] = [];
  const ask = async () => {
    for await (const event of model.stream(asking())) {
      events.push(event);
      heard.resolve();
    }
  };
  await assert.rejects(ask, { code: "model-unreachable", message: /broke off in the middle of its answer/ });
  assert.deepEqual([events, server.requests.length], [[{ type: "text-delta", text: "4" }], 1]);
});

test("a server that says nothing for too long is given up", async () => {
  const { server, model } = await opened({ timeoutMs: 50, retries: 1 });
  server.answer(
    { pieces: [": hello\n\n"], afterwards: "hang" },
    { pieces: [": hello\n\n"], afterwards: "hang" },
  );
  const { code, message } = await failing(model);
  assert.equal(code, "model-unreachable");
  assert.match(message, /sent nothing for 0\.05 s, 2 tries; ask again/);
});

test("an abort ends the answer, closes the connection and is no failure of the model", async () => {
  const { server, model } = await opened();
  const half = { id: "c", choices: [{ index: 0, delta: { content: "4" } }] };
  server.answer({ pieces: [`data: ${JSON.stringify(half)}\n\n`], afterwards: "hang" });
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

test("an abort before anything is sent sends nothing", async () => {
  const { server, model } = await opened();
  assert.equal((await failing(model, asking({ signal: AbortSignal.abort() }))).code, "aborted");
  assert.equal(server.requests.length, 0);
});

test("an abort while waiting for the next try ends the wait", async () => {
  const server = await WireServer.open();
  const abort = new AbortController();
  const model = await openModel("ollama/m", {
    env: {},
    baseUrl: server.url,
    clock: {
      random: () => 0,
      sleep: async () => abort.abort(),
    },
  });
  server.answer(saying(503, "no"), told);
  assert.equal((await failing(model, asking({ signal: abort.signal }))).code, "aborted");
  assert.equal(server.requests.length, 1);
});

test("a listener that leaves early closes the connection", async () => {
  const { server, model } = await opened();
  const half = { id: "c", choices: [{ index: 0, delta: { content: "4" } }] };
  server.answer({ pieces: [`data: ${JSON.stringify(half)}\n\n`], afterwards: "hang" });
  const gone = server.clientGone();
  for await (const event of model.stream(asking())) {
    assert.equal(event.type, "text-delta");
    break;
  }
  await gone;
});
