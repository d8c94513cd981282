import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Database } from "../../src/store/database.ts";

/** A folder of the test's own. */
export async function temporaryHome(t: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "glovebox-store-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** A store of the test's own; what it logs is kept for the test to read. */
export async function temporaryDatabase(
  t: TestContext,
): Promise<{ database: Database; home: string; log: string[] }> {
  const home = await temporaryHome(t);
  const log: string[] = [];
  const database = new Database({ home, onLog: (line) => log.push(line) });
  t.after(() => database.close());
  return { database, home, log };
}
