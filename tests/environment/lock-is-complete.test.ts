import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { directNames, normalizedName, readLock } from "../../src/sandbox/environment/lock-file.ts";

const kernel = join(import.meta.dirname, "..", "..", "kernel");
const lockFile = join(kernel, "requirements.lock");

test("the lock pins everything that requirements.in asks for, with hashes", async () => {
  const asked = readFileSync(join(kernel, "requirements.in"), "utf8")
    .split("\n")
    .filter((line) => /^[a-z]/i.test(line))
    .map((line) => normalizedName(/^[A-Za-z0-9._-]+/.exec(line)?.[0] ?? ""));
  const lock = await readLock(lockFile);
  assert.deepEqual(directNames(lock).sort(), asked.sort());
  assert.deepEqual(
    lock.requirements.filter((one) => one.hashCount === 0),
    [],
  );
});

test("the lock names no index", () => {
  const lines = readFileSync(lockFile, "utf8").split("\n");
  assert.deepEqual(
    lines.filter((line) => /^\s*-(?!-hash=)|:\/\//.test(line)),
    [],
  );
});
