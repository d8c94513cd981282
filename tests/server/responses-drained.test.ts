import assert from "node:assert/strict";
import { test } from "node:test";
import { codeInterpreter, python, readSse, startTestServer } from "./response-server.ts";

test("a server that ends tells those who still listen, and marks what it did not finish", async () => {
  const { server, script, post } = await startTestServer({ config: { limits: { drainMs: 1 } } });
  const begun = Promise.withResolvers<void>();
  script(python("x = 1"), () => {
    begun.resolve();
    return { calls: [{ name: "python_repl", arguments: { code: "import time\ntime.sleep(600)" } }] };
  });
  const answer = await post("/responses", { input: "go", stream: true, tools: [codeInterpreter] });
  const stream = readSse(answer);
  await begun.promise;
  await server.close();
  const { events } = await stream;
  const last = events.at(-1);
  assert.ok(last);
  assert.equal(last.type, "response.failed");
  const { id, error, output } = last.response as {
    id: string;
    error: { message: string };
    output: { type: string; status: string }[];
  };
  assert.match(error.message, /interrupted by a restart/);
  assert.deepEqual(output[0]?.status, "completed");
  const kept = await server.parts.box.store.responses.get("local", id);
  assert.equal(kept?.status, "failed");
});
