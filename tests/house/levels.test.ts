import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** A room imports only from lower levels, and from itself. */
const LEVELS: Record<string, number> = {
  "errors.ts": 0,
  "config.ts": 0,
  protocol: 0,
  support: 0,
  store: 1,
  sandbox: 1,
  models: 1,
  telemetry: 1,
  session: 2,
  history: 2,
  tools: 3,
  agent: 4,
  "compose.ts": 5,
  "compose-analyst.ts": 5,
  "index.ts": 5,
  server: 5,
  mcp: 5,
  cli: 6,
};
const WIRING = new Set(["compose.ts", "compose-analyst.ts", "index.ts"]);
/** Rooms that are opened by what the wiring made. */
const FRONT_DOORS = new Set([...WIRING, "server", "mcp"]);
const MOST_LINES = 400;

const roomOf = (path: string) => path.split("/")[0] as string;

async function sources(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const path of glob("**/*.ts", { cwd: root }))
    found.set(path, await readFile(join(root, path), "utf8"));
  return found;
}

test("every room has a level", async () => {
  const rooms = new Set([...(await sources()).keys()].map(roomOf));
  assert.deepEqual(
    [...rooms].filter((room) => !(room in LEVELS)),
    [],
  );
});

test("imports go downward only", async () => {
  const upward: string[] = [];
  for (const [path, text] of await sources()) {
    for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const imported = normalize(join(dirname(path), target as string));
      const [from, to] = [roomOf(path), roomOf(imported)];
      const lower = (LEVELS[to] ?? 99) < (LEVELS[from] ?? -1);
      const level0 = LEVELS[from] === 0 && LEVELS[to] === 0;
      const frontDoors = FRONT_DOORS.has(from) && WIRING.has(to);
      if (from !== to && !lower && !level0 && !frontDoors) upward.push(`${path} imports ${imported}`);
    }
  }
  assert.deepEqual(upward, []);
});

test("a file has one job and at most 400 lines", async () => {
  const long = [...(await sources())]
    .filter(([, text]) => text.split("\n").length > MOST_LINES)
    .map(([path]) => path);
  assert.deepEqual(long, []);
});

test("nothing is exported by default or wholesale", async () => {
  const found = [...(await sources())]
    .filter(([, text]) => /^export (?:default|\*)/m.test(text))
    .map(([path]) => path);
  assert.deepEqual(found, []);
});
