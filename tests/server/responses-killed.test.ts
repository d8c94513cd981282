import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { temporaryHome } from "../support/test-home.ts";
import { codeInterpreter } from "./response-server.ts";

const program = fileURLToPath(new URL("./server-process.ts", import.meta.url));
const home = await temporaryHome();
const started: ChildProcess[] = [];
after(async () => {
  for (const child of started) child.kill("SIGKILL");
  await home.remove();
});

async function start(): Promise<{ client: OpenAI; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [program, home.path], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    client: new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 }),
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("a server that is killed in the middle loses nothing that it answered, and marks what it was at", async () => {
  const first = await start();
  const answered = await first.client.responses.create({ model: "any", input: "quick" });
  const conversation = await first.client.conversations.create({
    items: [{ role: "user", content: "kept" }],
  });
  const stream = await first.client.responses.create({
    model: "any",
    input: "slow",
    stream: true,
    tools: [codeInterpreter],
  });
  let id = "";
  let done: unknown;
  await assert.rejects(async () => {
    for await (const event of stream) {
      if (event.type === "response.created") id = event.response.id;
      if (event.type === "response.output_item.done") done = event.item;
      if (event.type === "response.code_interpreter_call.interpreting" && event.output_index === 1)
        await first.kill();
    }
  });

  const second = await start();
  const kept = await second.client.responses.retrieve(answered.id);
  assert.deepEqual(kept.output, answered.output);
  const items = await Array.fromAsync(second.client.conversations.items.list(conversation.id));
  assert.equal(items.length, 1);
  const interrupted = await second.client.responses.retrieve(id);
  assert.equal(interrupted.status, "failed");
  assert.match(interrupted.error?.message ?? "", /interrupted by a restart/);
  assert.deepEqual(interrupted.output, [done]);
  const next = await second.client.responses.create({
    model: "any",
    input: "quick",
    previous_response_id: id,
  });
  assert.equal(next.output_text, "At once.");
  await second.kill();
});
