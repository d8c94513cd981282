import assert from "node:assert/strict";
import { test } from "node:test";
import { type Note, SqliteNotes } from "../../src/store/notes.ts";
import { temporaryDatabase } from "./home.ts";

const texts = (notes: readonly Note[]) => notes.map((note) => note.text);

test("A note comes back whole", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  const saved = await notes.save({
    text: '  Prefers "tabs"\n& spaces 🎉 数据\0. ',
    tags: ["style", "style", "ui"],
  });
  assert.deepEqual(await notes.list(), [
    {
      id: saved.id,
      text: 'Prefers "tabs"\n& spaces 🎉 数据\0.',
      tags: ["style", "ui"],
      createdMs: saved.createdMs,
    },
  ]);
});

test("The best match comes first", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.save({
    text: "The weather was fine and nothing about numbers was said in the whole long afternoon",
  });
  await notes.save({
    text: "Revenue is in the sales table; ask finance about anything else that is not in there",
  });
  await notes.save({ text: "Revenue of sales excludes tax" });
  await notes.save({ text: "Quarterly goals", tags: ["revenue", "sales"] });
  assert.deepEqual(texts(await notes.search("sales revenue")), [
    "Quarterly goals",
    "Revenue of sales excludes tax",
    "Revenue is in the sales table; ask finance about anything else that is not in there",
  ]);
});

test("Words are found in other forms, without accents and in any case", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.save({ text: "The analyst was running Regressions in the CAFÉ" });
  for (const query of ["run", "regression", "cafe", "ANALYSTS"]) {
    assert.equal((await notes.search(query)).length, 1, query);
  }
});

test("Scripts without spaces and emoji are found by a part of what was written", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.save({ text: "我喜欢数据分析和图表" });
  await notes.save({ text: "売上はカタカナの列にある" });
  await notes.save({ text: "launch party🎉tonight" });
  await notes.save({ text: "25°C is the limit" });
  const found = async (query: string) => texts(await notes.search(query));
  assert.deepEqual(await found("数据"), ["我喜欢数据分析和图表"]);
  assert.deepEqual(await found("请问数据分析在哪里"), ["我喜欢数据分析和图表"]);
  assert.deepEqual(await found("据数"), []);
  assert.deepEqual(await found("図"), []);
  assert.deepEqual(await found("列"), ["売上はカタカナの列にある"]);
  assert.deepEqual(await found("🎉"), ["launch party🎉tonight"]);
  assert.deepEqual(await found("party"), ["launch party🎉tonight"]);
  assert.deepEqual(await found("25"), ["25°C is the limit"]);
});

test("Any text is a query", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.save({ text: "plain note" });
  const queries = [
    "",
    "   ",
    '"',
    "'; DROP TABLE notes; --",
    'a" OR "b',
    "NOT AND OR NEAR(",
    "text: tags:x",
    "-note",
    "^*+(){}[]:",
    "\0",
    "\ud800",
    "🎉".repeat(500),
    "字".repeat(5000),
    "word ".repeat(20_000),
    "n*te AND",
  ];
  for (const query of queries) assert.ok(Array.isArray(await notes.search(query)), query.slice(0, 20));
  assert.deepEqual(texts(await notes.search('plain "note" OR (')), ["plain note"]);
  assert.equal(await notes.count(), 1);
});

test("Notes are listed by tag, the newest first", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.save({ text: "one", tags: ["a"] });
  await notes.save({ text: "two", tags: ["b", "a"] });
  await notes.save({ text: "three", tags: ["ab"] });
  assert.deepEqual(texts(await notes.list({ tag: "a" })), ["two", "one"]);
  assert.deepEqual(texts(await notes.list({ limit: 2 })), ["three", "two"]);
});

test("A removed note is found no more, and its number is not given again", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  const { id } = await notes.save({ text: "secret plan" });
  assert.equal(await notes.remove(id), true);
  assert.equal(await notes.remove(id), false);
  assert.deepEqual(await notes.search("plan"), []);
  assert.notEqual((await notes.save({ text: "another plan" })).id, id);
  assert.deepEqual(texts(await notes.search("plan")), ["another plan"]);
});

test("A note that cannot be read is skipped and logged", async (t) => {
  const { database, log } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.save({ text: "good" });
  await database.use((db) =>
    db.run("INSERT INTO notes (text, tags, created_ms) VALUES ('bad', 'not json', 1)"),
  );
  assert.deepEqual(texts(await notes.list()), ["good"]);
  assert.equal(log.length, 1);
  assert.match(log[0] ?? "", /cannot be read \(id 2\); it is skipped: not JSON/);
});
