import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ensureEnvironment } from "../../src/sandbox/environment/ensure.ts";
import { findEnvironment } from "../../src/sandbox/environment/find.ts";
import { startSetup } from "./setup-process.ts";
import { tinyPackages } from "./tiny-wheel.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-pip-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { lockFile, env } = tinyPackages(folder);
const options = { home: join(folder, "home with spaces"), lockFile, env, source: "pip" as const };

test("a lock becomes an environment that every user can read, whatever the umask", async () => {
  assert.equal(await findEnvironment(options), undefined);
  const setup = startSetup({ ...options, home: options.home }, { env, umask: 0o077 });
  const { environment, error } = await setup.end;
  assert.equal(error, undefined);
  assert.ok(environment);
  assert.deepEqual(environment, {
    python: join(environment.prefix, "bin", "python"),
    prefix: environment.prefix,
    basePrefix: environment.basePrefix,
    version: environment.version,
    source: "pip",
    packages: { "glovebox-tiny": "1.0" },
    missing: [],
  });
  const say = "import glovebox_tiny, sys; print(glovebox_tiny.answer, sys.prefix, sys.base_prefix)";
  const said = execFileSync(environment.python, ["-I", "-c", say], { encoding: "utf8" });
  assert.equal(said.trim(), `42 ${environment.prefix} ${environment.basePrefix}`);

  const files = readdirSync(environment.prefix, { recursive: true, encoding: "utf8" });
  const hidden = files.filter((name) => (statSync(join(environment.prefix, name)).mode & 0o004) === 0);
  assert.deepEqual(hidden, []);
  assert.ok(files.some((name) => /glovebox_tiny\/__pycache__\/__init__.*\.pyc$/.test(name)));
  assert.deepEqual(
    setup.progress.filter((line) => line.done),
    [{ step: "Downloading packages", detail: "glovebox-tiny", done: 1, total: 1 }],
  );
});

test("an environment that is there is returned without starting anything", async () => {
  const steps: string[] = [];
  const without = { ...options, env: { ...env, PATH: "/nowhere" } };
  const again = await ensureEnvironment({ ...without, onProgress: ({ step }) => steps.push(step) });
  assert.deepEqual(await findEnvironment(without), again);
  assert.deepEqual(steps, []);
});

test("another lock, another source or another Python is another environment", async () => {
  const otherLock = join(folder, "other.lock");
  writeFileSync(otherLock, "# nothing\n");
  assert.equal(await findEnvironment({ ...options, lockFile: otherLock }), undefined);
  assert.equal(await findEnvironment({ ...options, source: "debian" }), undefined);
  assert.equal(
    await findEnvironment({ ...options, env: { ...env, GLOVEBOX_PYTHON: "/bin/other" } }),
    undefined,
  );
});

test("a shim named by GLOVEBOX_PYTHON leads to the real Python's environment, and is remembered", async () => {
  const existing = await findEnvironment(options);
  assert.ok(existing);
  const shim = join(folder, "shim");
  writeFileSync(shim, `#!/bin/sh\nexec '${existing.python}' "$@"\n`, { mode: 0o755 });
  const shimmed = { ...options, env: { ...env, GLOVEBOX_PYTHON: shim } };
  assert.equal(await findEnvironment(shimmed), undefined);
  assert.deepEqual(await ensureEnvironment(shimmed), existing);
  assert.deepEqual(await findEnvironment(shimmed), existing);
});

test("an environment whose interpreter is gone is made again", async () => {
  const existing = await findEnvironment(options);
  assert.ok(existing);
  rmSync(existing.python);
  assert.equal(await findEnvironment(options), undefined);
  assert.deepEqual(await ensureEnvironment(options), existing);
  assert.ok(statSync(existing.python));
});
