import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Item, userMessage } from "../../src/protocol/items.ts";
import { SqliteConversations } from "../../src/store/conversations.ts";
import { Database } from "../../src/store/database.ts";
import { temporaryHome } from "./home.ts";

const script = fileURLToPath(new URL("writer-process.ts", import.meta.url));
const numbered = (count: number): Item[] => Array.from({ length: count }, (_, n) => userMessage(`item ${n}`));

function startWriter(t: TestContext, home: string, id: string, count: number): ChildProcess {
  const writer = spawn(process.execPath, [script, home, id, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => writer.kill("SIGKILL"));
  return writer;
}

function reader(t: TestContext, home: string): SqliteConversations {
  const database = new Database({ home });
  t.after(() => database.close());
  return new SqliteConversations(database);
}

test("Several processes make the store and write to it at once", { timeout: 120_000 }, async (t) => {
  const home = await temporaryHome(t);
  const writers = ["a", "b", "c"].map((id) => startWriter(t, home, id, 60));
  for (const writer of writers) writer.stdout?.resume();
  const statuses = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));
  assert.deepEqual(statuses, [0, 0, 0]);
  const conversations = reader(t, home);
  for (const id of ["a", "b", "c"]) assert.deepEqual(await conversations.items(id), numbered(60), id);
});

test("A process that is killed while it writes loses nothing that was acknowledged", {
  timeout: 120_000,
}, async (t) => {
  const home = await temporaryHome(t);
  const writer = startWriter(t, home, "a", 1_000_000);
  const exited = once(writer, "exit");
  let acknowledged = 0;
  for await (const line of createInterface({ input: writer.stdout as NodeJS.ReadableStream })) {
    acknowledged = Number(line) + 1;
    if (acknowledged === 40) writer.kill("SIGKILL");
  }
  await exited;
  const kept = await reader(t, home).items("a");
  assert.ok(acknowledged >= 40 && kept.length >= acknowledged);
  assert.deepEqual(kept, numbered(kept.length));
});
