import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { takeTurn } from "../../src/sandbox/environment/setup-turn.ts";
import { startSetup } from "./setup-process.ts";
import { tinyPackages } from "./tiny-wheel.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-turn-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("of two setups at once one builds, and the other waits and uses its result", async () => {
  const { lockFile, env } = tinyPackages(folder);
  const options = { home: join(folder, "home"), lockFile, source: "pip" as const };
  const setups = [startSetup(options, { env }), startSetup(options, { env })];
  const [first, second] = await Promise.all(setups.map((setup) => setup.end));
  assert.ok(first?.environment);
  assert.deepEqual(first, second);
  const building = setups.filter((setup) => setup.progress.some((line) => line.step === "Ready"));
  assert.equal(building.length, 1);
  const waiting = setups.filter((setup) => setup.progress[0]?.step === "Waiting for another setup");
  assert.equal(waiting.length, 1);
  assert.equal(readdirSync(join(options.home, "environments")).length, 1);
});

test("the turn of a process that has died, or whose pid is another's now, is taken over", async () => {
  mkdirSync(join(folder, "stale"));
  const path = join(folder, "stale", "turn");
  const turn = await takeTurn(path, {});
  const owner = JSON.parse(readFileSync(path, "utf8")) as { pid: number; startTime: string };
  turn.end();
  const deaths = [{ ...owner, startTime: "1" }, { ...owner, pid: 2 ** 22 + 1 }, "torn"];
  for (const dead of deaths) {
    writeFileSync(path, JSON.stringify(dead));
    const taken = await takeTurn(path, {});
    taken.assertHeld();
    taken.end();
  }
  assert.deepEqual(readdirSync(join(folder, "stale")), []);
});

test("waiting for a turn ends with the signal", async () => {
  const path = join(folder, "turn");
  const turn = await takeTurn(path, {});
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  await assert.rejects(takeTurn(path, { onProgress, signal: controller.signal }), { code: "aborted" });
  turn.assertHeld();
  turn.end();
});
