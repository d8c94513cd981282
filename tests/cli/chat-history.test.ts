import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { HistoryFile } from "../../src/cli/chat/history-file.ts";
import { temporaryFolder } from "./glovebox.ts";

test("what was asked is there again, line ends and all, for nobody else to read", async () => {
  const path = join(await temporaryFolder(), "home", "history.jsonl");
  const first = new HistoryFile(path);
  await first.load();
  for (const entry of ["one", "two\nlines", "two\nlines", "  ", "three"]) await first.add(entry);
  const second = new HistoryFile(path);
  await second.load();
  assert.deepEqual(second.entries, ["one", "two\nlines", "three"]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("a history that others could read is closed to them, and lines that are none are passed over", async () => {
  const path = join(await temporaryFolder(), "history.jsonl");
  await writeFile(path, '"one"\nnot JSON\n42\n\n"two"\n', { mode: 0o644 });
  const history = new HistoryFile(path);
  await history.load();
  assert.deepEqual(history.entries, ["one", "two"]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("a long history keeps its newest thousand", async () => {
  const path = join(await temporaryFolder(), "history.jsonl");
  await writeFile(path, Array.from({ length: 2500 }, (_, number) => `"q${number}"\n`).join(""));
  const history = new HistoryFile(path);
  await history.load();
  assert.deepEqual(
    [history.entries.length, history.entries[0], history.entries.at(-1)],
    [1000, "q1500", "q2499"],
  );
  assert.equal((await readFile(path, "utf8")).split("\n").length, 1001);
});

test("a place that cannot be written to does not stop the chat", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  const history = new HistoryFile(join(file, "history.jsonl"));
  await history.load();
  await history.add("one");
  assert.deepEqual(history.entries, ["one"]);
});
