import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ensureEnvironment } from "../../src/sandbox/environment/ensure.ts";
import { findEnvironment } from "../../src/sandbox/environment/find.ts";
import { programPath } from "../../src/sandbox/environment/find-python.ts";
import { startSetup } from "./setup-process.ts";
import { tinyPackages } from "./tiny-wheel.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-uv-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let uvFolder: string | undefined;

before(async () => {
  if (await programPath("uv", process.env)) {
    uvFolder = "";
    return;
  }
  const venv = join(folder, "venv-of-uv");
  if (spawnSync("python3", ["-m", "venv", venv]).status !== 0) return;
  const pip = [
    "-m",
    "pip",
    "install",
    "-q",
    "--only-binary",
    ":all:",
    "--retries",
    "1",
    "--timeout",
    "8",
    "uv",
  ];
  if (spawnSync(join(venv, "bin", "python"), pip).status === 0) uvFolder = join(venv, "bin");
});

test("uv on the PATH is preferred, and what it makes is readable whatever its cache is", async (t) => {
  if (uvFolder === undefined) return t.skip("uv is not here and cannot be downloaded");
  const options = uvOptions("umask");
  const { environment, error } = await startSetup(options, { env: options.env, umask: 0o077 }).end;
  assert.equal(error, undefined);
  assert.ok(environment);
  assert.equal(environment.source, "uv");
  assert.deepEqual(environment.packages, { "glovebox-tiny": "1.0" });
  const say = "import glovebox_tiny; print(glovebox_tiny.answer)";
  assert.equal(execFileSync(environment.python, ["-I", "-c", say], { encoding: "utf8" }).trim(), "42");
  const files = readdirSync(environment.prefix, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    files.filter((name) => (statSync(join(environment.prefix, name)).mode & 0o004) === 0),
    [],
  );
  assert.ok(files.some((name) => name.endsWith(".pyc")));
  assert.deepEqual(await findEnvironment(options), environment);
});

test("a wrong hash stops uv as it stops pip", async (t) => {
  if (uvFolder === undefined) return t.skip("uv is not here and cannot be downloaded");
  const options = uvOptions("hash", "0".repeat(64));
  await assert.rejects(ensureEnvironment(options), {
    code: "environment",
    message: /^uv could not .* not the file that the lock names/,
  });
});

test("pip takes over where only uv cannot reach the index", async (t) => {
  if (uvFolder === undefined) return t.skip("uv is not here and cannot be downloaded");
  const options = uvOptions("unreached");
  const { UV_NO_INDEX: _index, UV_FIND_LINKS: _links, ...env } = options.env;
  const environment = await ensureEnvironment({
    ...options,
    env: { ...env, UV_DEFAULT_INDEX: "http://127.0.0.1:9/" },
  });
  assert.equal(environment.source, "pip");
});

function uvOptions(name: string, hash?: string) {
  const tiny = tinyPackages(join(folder, name), hash ? { hash } : {});
  const PATH = uvFolder ? `${tiny.env.PATH}:${uvFolder}` : tiny.env.PATH;
  const env: NodeJS.ProcessEnv = { ...tiny.env, PATH, UV_CACHE_DIR: join(folder, name, "cache") };
  return { home: join(folder, name, "home"), lockFile: tiny.lockFile, env };
}
