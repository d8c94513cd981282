import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { z } from "zod";
import { GloveboxError } from "../../src/errors.ts";
import { Database } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { SqliteNotes } from "../../src/store/notes.ts";
import { temporaryDatabase, temporaryHome } from "./home.ts";

const Version = z.object({ user_version: z.number() });
const Tables = z.object({ name: z.string() });

function open(t: TestContext, home: string, steps?: readonly string[]): Database {
  const database = new Database({ home, ...(steps ? { migrations: steps } : {}) });
  t.after(() => database.close());
  return database;
}

test("Nothing is made before the store is used", async (t) => {
  const { database } = await temporaryDatabase(t);
  await assert.rejects(stat(database.path), { code: "ENOENT" });
});

test("Only its owner can read the store, whatever the mode it was found with", async (t) => {
  const { database, home } = await temporaryDatabase(t);
  await writeFile(database.path, "");
  await chmod(database.path, 0o666);
  await new SqliteNotes(database).save({ text: "private" });
  const modes = await Promise.all(
    ["", "-wal", "-shm"].map(
      async (suffix) => (await stat(`${join(home, "glovebox.db")}${suffix}`)).mode & 0o777,
    ),
  );
  assert.deepEqual(modes, [0o600, 0o600, 0o600]);
});

test("A store of an older version gets what is new and keeps what it has", async (t) => {
  const home = await temporaryHome(t);
  const first = ["CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7);"];
  await open(t, home, first).use(() => {});
  const later = open(t, home, [...first, "CREATE TABLE b (y INTEGER); INSERT INTO b SELECT x + 1 FROM a;"]);
  const found = await later.use((db) => ({
    rows: db.all(z.object({ x: z.number(), y: z.number() }), "SELECT x, y FROM a, b"),
    version: db.first(Version, "PRAGMA user_version"),
  }));
  assert.deepEqual(found, { rows: [{ x: 7, y: 8 }], version: { user_version: 2 } });
});

test("A migration that fails leaves the store as it was", async (t) => {
  const home = await temporaryHome(t);
  const first = ["CREATE TABLE a (x INTEGER);"];
  await open(t, home, first).use(() => {});
  await assert.rejects(
    open(t, home, [...first, "CREATE TABLE b (y INTEGER);", "CREATE TABLE a (x INTEGER);"]).use(() => {}),
    { code: "store" },
  );
  const found = await open(t, home, first).use((db) => ({
    tables: db.all(Tables, "SELECT name FROM sqlite_master"),
    version: db.first(Version, "PRAGMA user_version"),
  }));
  assert.deepEqual(found, { tables: [{ name: "a" }], version: { user_version: 1 } });
});

test("A store of a newer Glovebox is refused with what to do", async (t) => {
  const home = await temporaryHome(t);
  await open(t, home, [...migrations, "CREATE TABLE later (x INTEGER);"]).use(() => {});
  const old = open(t, home);
  await assert.rejects(
    old.use(() => {}),
    new GloveboxError(
      "store",
      `The store ${old.path} was written by a newer Glovebox (version ${migrations.length + 1} of the store; this one knows ${migrations.length}). Update Glovebox, or set GLOVEBOX_HOME to another folder.`,
    ),
  );
});

test("A file that is no store is refused and left as it is", async (t) => {
  const { database } = await temporaryDatabase(t);
  const garbage = "This was a letter, not a database. ".repeat(300);
  await writeFile(database.path, garbage, { mode: 0o600 });
  await assert.rejects(
    database.use(() => {}),
    (error: GloveboxError) => {
      assert.equal(error.code, "store");
      assert.match(error.message, /is damaged \(file is not a database\)\..*mv \S+ \S+\.damaged/);
      return true;
    },
  );
  assert.equal(await readFile(database.path, "utf8"), garbage);
});

test("A store that is damaged inside is refused and not deleted", async (t) => {
  const home = await temporaryHome(t);
  const whole = new Database({ home });
  const notes = new SqliteNotes(whole);
  for (let n = 0; n < 50; n++) await notes.save({ text: `note ${n} ${"x".repeat(1000)}` });
  await whole.close();
  const bytes = await readFile(whole.path);
  bytes.fill(0xff, 4096);
  await writeFile(whole.path, bytes);
  const damaged = new SqliteNotes(open(t, home));
  await assert.rejects(damaged.list(), (error: GloveboxError) => {
    assert.equal(error.code, "store");
    assert.match(error.message, /is damaged/);
    return true;
  });
  assert.equal((await stat(whole.path)).size, bytes.length);
});

test("A folder that cannot be made is told with what to do", async (t) => {
  const home = await temporaryHome(t);
  await writeFile(join(home, "file"), "");
  await assert.rejects(
    open(t, join(home, "file")).use(() => {}),
    {
      code: "store",
      message: /GLOVEBOX_HOME/,
    },
  );
});

test("A store that could not be opened opens once the cause is gone", async (t) => {
  const { database } = await temporaryDatabase(t);
  await writeFile(database.path, "no database at all ".repeat(300));
  await assert.rejects(
    database.use(() => {}),
    { code: "store" },
  );
  await writeFile(database.path, "");
  assert.equal(await new SqliteNotes(database).count(), 0);
});

test("A closed store says so", async (t) => {
  const { database } = await temporaryDatabase(t);
  const notes = new SqliteNotes(database);
  await notes.count();
  await database.close();
  await assert.rejects(notes.count(), { code: "store", message: /is closed/ });
});

test("A transaction that throws leaves nothing behind", async (t) => {
  const { database } = await temporaryDatabase(t);
  const rows = await database.use((db) => {
    assert.throws(
      () =>
        db.transaction(() => {
          db.run("INSERT INTO notes (text, tags, created_ms) VALUES ('a', '[]', 1)");
          throw new Error("no");
        }),
      /no/,
    );
    return db.all(Tables, "SELECT text AS name FROM notes");
  });
  assert.deepEqual(rows, []);
});

test("SQLite is not loaded before the store is used", async (t) => {
  const home = await temporaryHome(t);
  const script = `
    import { Database } from ${JSON.stringify(new URL("../../src/store/database.ts", import.meta.url).href)};
    const loaded = () => process.moduleLoadList.some((name) => name.includes("sqlite"));
    await using database = new Database({ home: process.argv[1] });
    const before = loaded();
    await database.use(() => {});
    console.log(JSON.stringify([before, loaded()]));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, home]);
  assert.deepEqual(JSON.parse(stdout), [false, true]);
});
