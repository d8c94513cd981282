import assert from "node:assert/strict";
import { test } from "node:test";
import { codeInterpreter, python, readSse, startTestServer } from "./response-server.ts";

const { client, script, post, get } = await startTestServer();

async function untilEnded(id: string) {
  for (;;) {
    const response = await client.responses.retrieve(id, { include: ["code_interpreter_call.outputs"] });
    if (response.status !== "queued" && response.status !== "in_progress") return response;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a background response is answered at once and is there when it has ended", async () => {
  script(python("1 + 1"), "Two.");
  const queued = await client.responses.create({
    model: "any",
    input: "go",
    background: true,
    tools: [codeInterpreter],
  });
  assert.deepEqual([queued.status, queued.background, queued.output], ["queued", true, []]);
  const ended = await untilEnded(queued.id);
  assert.equal(ended.status, "completed");
  assert.equal(ended.output_text, "Two.");
});

test("a background response that is cancelled stops its cell, and the session goes on", async () => {
  const container = await client.containers.create({ name: "kept" });
  const tools = [{ type: "code_interpreter" as const, container: container.id }];
  script(python("kept = 1\nprint('begun', flush=True)\nimport time\ntime.sleep(600)"), "Never.");
  const stream = await post(
    "/responses",
    { input: "go", background: true, stream: true, tools },
    { "x-glovebox-stream": "stdout" },
  );
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes("stdout.delta"))
    seen += (await reader?.read())?.value ?? assert.fail("the stream ended");
  const id = /"id":"(resp_[0-9a-f]+)"/.exec(seen)?.[1] ?? "";
  const cancelled = await client.responses.cancel(id);
  assert.equal(cancelled.status, "cancelled");
  assert.equal((await client.responses.cancel(id)).status, "cancelled");
  await reader?.cancel();
  script(python("kept"), "One.");
  const next = await client.responses.create({
    model: "any",
    input: "go",
    tools,
    include: ["code_interpreter_call.outputs"],
  });
  const [call] = next.output;
  assert.deepEqual(call?.type === "code_interpreter_call" && call.outputs, [{ type: "logs", logs: "1" }]);
});

test("only a background response can be cancelled", async () => {
  script("Done.");
  const { id } = await client.responses.create({ model: "any", input: "go" });
  await assert.rejects(client.responses.cancel(id), { status: 400 });
});

test("a client that lost its background stream takes it up again where it was", async () => {
  script(python("1 + 1"), "Two.");
  const first = await post("/responses", {
    input: "go",
    background: true,
    stream: true,
    tools: [codeInterpreter],
  });
  const { events } = await readSse(first);
  const [created] = events;
  assert.ok(created);
  const { id } = created.response as { id: string };
  assert.equal(events[1]?.type, "response.queued");
  const again = await readSse(await get(`/responses/${id}?stream=true&starting_after=4`));
  assert.deepEqual(again.events, events.slice(5));
});

test("a stream that is taken up after its end tells how it ended", async () => {
  script({ text: "Cut", finish: "length" });
  const { events } = await readSse(await post("/responses", { input: "go", background: true, stream: true }));
  const last = events.at(-1);
  assert.ok(last);
  const { id } = last.response as { id: string };
  const again = await readSse(await get(`/responses/${id}?stream=true&starting_after=${events.length - 1}`));
  assert.deepEqual(
    again.events.map(({ type }) => type),
    ["response.incomplete"],
  );
  assert.deepEqual(again.events[0]?.response, last.response);
});

test("a response that was not made to be streamed cannot be streamed later", async () => {
  script("Done.");
  const { id } = await client.responses.create({ model: "any", input: "go" });
  assert.equal((await get(`/responses/${id}?stream=true`)).status, 400);
});

test("a client that goes away stops its response and the cell in it", async () => {
  const container = await client.containers.create({ name: "left" });
  const tools = [{ type: "code_interpreter" as const, container: container.id }];
  for (const stream of [true, false]) {
    const running = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    script((request) => {
      request.signal.addEventListener("abort", () => gone.resolve());
      running.resolve();
      return {
        calls: [{ name: "python_repl", arguments: { code: "import time\nwhile True: time.sleep(0.01)" } }],
      };
    });
    const leaving = new AbortController();
    const answer = fetch(`${client.baseURL}/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input: "go", stream, tools }),
      signal: leaving.signal,
    });
    answer.catch(() => {});
    await running.promise;
    leaving.abort();
    await gone.promise;
    // The next cell of the same session runs only when that one has ended.
    script(python("'free'"), "Yes.");
    const next = await client.responses.create({
      model: "any",
      input: "go",
      tools,
      include: ["code_interpreter_call.outputs"],
    });
    const [call] = next.output;
    assert.deepEqual(call?.type === "code_interpreter_call" && call.outputs, [
      { type: "logs", logs: "'free'" },
    ]);
  }
});
