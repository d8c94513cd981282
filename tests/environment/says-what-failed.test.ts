import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GloveboxError } from "../../src/errors.ts";
import { ensureEnvironment } from "../../src/sandbox/environment/ensure.ts";
import { tinyPackages } from "./tiny-wheel.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-failed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a download that is not what the lock names is refused, and the index is what to check", async () => {
  const { lockFile, env } = tinyPackages(join(folder, "hash"), { hash: "0".repeat(64) });
  const home = join(folder, "hash", "home");
  const error = await failureOf(ensureEnvironment({ home, lockFile, env }));
  assert.equal(error.code, "environment");
  assert.match(error.message, /not the file that the lock names\. Check the package index/);
  assert.match(error.message, /Expected sha256 0{64}/);
  assert.match(String(error.cause), /ended with exit code 1/);
  assert.deepEqual(readdirSync(join(home, "environments")), []);
});

test("a full disk is called a full disk", async (t) => {
  const home = join(folder, "full");
  mkdirSync(home);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", home], { stdio: "ignore" });
  } catch {
    return t.skip("mounting a small disk needs root");
  }
  t.after(() => execFileSync("umount", [home]));
  const { lockFile, env } = tinyPackages(join(folder, "disk"));
  const error = await failureOf(ensureEnvironment({ home, lockFile, env, source: "pip" }));
  assert.match(error.message, /the disk of .* is full\. Free about 2 GB/);
  assert.deepEqual(readdirSync(join(home, "environments")), []);
});

test("a GLOVEBOX_PYTHON that cannot serve is named with the reason", async () => {
  const { lockFile, env } = tinyPackages(join(folder, "python"));
  const old = join(folder, "old-python");
  const probe = { executable: old, basePrefix: "/", version: "3.8.1", implementation: "cpython" };
  writeFileSync(old, `#!/bin/sh\necho '${JSON.stringify(probe)}'\n`, { mode: 0o755 });
  const wrong = { [old]: /is Python 3\.8\.1, older than 3\.10/, "/no/python": /is not a Python that starts/ };
  for (const [path, pattern] of Object.entries(wrong)) {
    const options = {
      home: join(folder, "python", "home"),
      lockFile,
      env: { ...env, GLOVEBOX_PYTHON: path },
    };
    const error = await failureOf(ensureEnvironment(options));
    assert.match(error.message, pattern);
    assert.match(error.message, /or unset it/);
  }
});

test("uv that was asked for and is not there is an error", async () => {
  const { lockFile, env } = tinyPackages(join(folder, "no-uv"));
  const options = { home: join(folder, "no-uv", "home"), lockFile, env: { ...env, PATH: "/nowhere" } };
  assert.match(
    (await failureOf(ensureEnvironment({ ...options, source: "uv" }))).message,
    /no uv on the PATH/,
  );
});

async function failureOf(promise: Promise<unknown>): Promise<GloveboxError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GloveboxError, `expected a GloveboxError, got ${error}`);
  return error;
}
