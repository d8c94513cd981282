import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { GloveboxError } from "../../src/errors.ts";
import { Database } from "../../src/store/database.ts";
import { SqliteNotes } from "../../src/store/notes.ts";
import { saveNoteTool } from "../../src/tools/save-note.ts";
import { searchNotesTool } from "../../src/tools/search-notes.ts";
import type { Tool, ToolContext } from "../../src/tools/tool.ts";
import { temporaryHome } from "../store/home.ts";

/** Notes touch neither session nor conversation. */
const context = {} as ToolContext;

function open(t: TestContext, home: string): { save: Tool; search: Tool; notes: SqliteNotes } {
  const database = new Database({ home });
  t.after(() => database.close());
  const notes = new SqliteNotes(database);
  return { save: saveNoteTool(notes), search: searchNotesTool(notes), notes };
}

const call = async (tool: Tool, given: unknown) =>
  (await tool.run(tool.parameters.parse(given), context)).message;

test("What was noted in one conversation is found in a later one", async (t) => {
  const home = await temporaryHome(t);
  const first = open(t, home);
  await call(first.save, { text: "The user's fiscal year starts in July.", tags: ["calendar"] });
  await call(first.save, { text: "Charts are to be blue." });
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(await call(open(t, home).search, { query: "when does the fiscal year start?" }), {
    kind: "object",
    json: {
      notes: [{ id: 1, text: "The user's fiscal year starts in July.", tags: ["calendar"], saved: today }],
    },
  });
});

test("Without words to look for, the newest notes are told", async (t) => {
  const { save, search } = open(t, await temporaryHome(t));
  await call(save, { text: "old" });
  await call(save, { text: "new" });
  const { json } = (await call(search, { query: " ?! " })) as { json: { notes: { text: string }[] } };
  assert.deepEqual(
    json.notes.map(({ text }) => text),
    ["new", "old"],
  );
});

test("Finding nothing is said, and whether there is anything to find", async (t) => {
  const { save, search } = open(t, await temporaryHome(t));
  assert.deepEqual(await call(search, { query: "anything" }), {
    kind: "object",
    json: { notes: [] },
    notice: "There are no notes yet.",
  });
  await call(save, { text: "a fact" });
  assert.deepEqual(await call(search, { query: "elephants" }), {
    kind: "object",
    json: { notes: [] },
    notice: "None of the 1 notes has any of these words; try others.",
  });
});

test("More notes than a model reads at once are counted", async (t) => {
  const { save, search } = open(t, await temporaryHome(t));
  for (let n = 0; n < 5; n++) await call(save, { text: `fact ${n} ${"x".repeat(2000)}` });
  const found = (await call(search, { query: "fact" })) as { json: { notes: unknown[] }; notice: string };
  assert.equal(found.json.notes.length, 2);
  assert.equal(found.notice, "3 more notes match; ask with fewer or rarer words to see them.");
  assert.ok(JSON.stringify(found).length < 8 * 1024);
});

test("A note that says nothing or too much is refused before it is saved", async (t) => {
  const { save, notes } = open(t, await temporaryHome(t));
  for (const given of [
    { text: "  " },
    { text: "x".repeat(4001) },
    { text: "x", tags: [""] },
    { text: "x", tag: 1 },
  ]) {
    assert.equal(save.parameters.safeParse(given).success, false, JSON.stringify(given).slice(0, 40));
  }
  assert.equal(await notes.count(), 0);
});

test("A store that fails is told with its fix", async (t) => {
  const { save, notes } = open(t, "/dev/null/home");
  await assert.rejects(
    call(save, { text: "x" }),
    (error) => error instanceof GloveboxError && error.code === "store",
  );
  await assert.rejects(notes.count(), { code: "store" });
});
