import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { installedPackages, isDebian } from "../../src/sandbox/environment/debian-packages.ts";
import { startSetup } from "./setup-process.ts";
import { withoutIndexSettings } from "./tiny-wheel.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-debian-"));
after(() => rmSync(folder, { recursive: true, force: true }));
chmodSync(folder, 0o755);

const nobody = 65_534;
const env = {
  ...withoutIndexSettings(),
  PIP_INDEX_URL: "http://127.0.0.1:9/",
  UV_DEFAULT_INDEX: "http://127.0.0.1:9/",
};
const debian = await isDebian(env);
const root = process.getuid?.() === 0;

test("as root, apt gives what it has and the environment names what is missing", async (t) => {
  if (!debian || !root) return t.skip(debian ? "apt needs root" : "there is no apt here");
  const options = { home: join(folder, "root"), lockFile: lockOf("tabulate", "glovebox-not-in-debian") };
  const setup = startSetup(options, { env });
  const { environment, error } = await setup.end;
  if (error?.message.startsWith("apt-get"))
    return t.skip(`Debian's archive does not answer: ${error.message}`);
  assert.equal(error, undefined);
  assert.ok(environment);
  assert.equal(environment.source, "debian");
  assert.deepEqual(environment.missing, ["glovebox-not-in-debian"]);
  assert.deepEqual(Object.keys(environment.packages), ["tabulate"]);
  const say = "import tabulate; print(tabulate.tabulate([[1]], tablefmt='plain'))";
  assert.equal(execFileSync(environment.python, ["-I", "-c", say], { encoding: "utf8" }).trim(), "1");
  assert.ok(setup.progress.some((line) => line.step === "Cannot use pip"));
});

test("without root, the error is the command to paste", async (t) => {
  if (!debian) return t.skip("there is no apt here");
  const user = root ? { uid: nobody, gid: nobody } : {};
  const started = spawnSync(process.execPath, ["--version"], { ...user, cwd: "/" });
  if (started.status !== 0) return t.skip("another user cannot start this Node");
  const candidates = ["seaborn", "networkx", "openpyxl", "sympy", "lxml"];
  const installed = await installedPackages(
    candidates.map((name) => `python3-${name}`),
    { env },
  );
  const absent = candidates.find((name) => !installed.has(`python3-${name}`));
  if (!absent) return t.skip("Debian's Python packages are all installed here");

  const home = join(folder, "user");
  mkdirSync(home);
  chmodSync(home, 0o777);
  const userEnv = { ...env, HOME: home, PATH: "/usr/bin:/bin" };
  const options = { home, lockFile: lockOf(absent, "glovebox-not-in-debian") };
  const startedAt = performance.now();
  const { error } = await startSetup(options, { env: userEnv, ...user }).end;
  assert.equal(error?.code, "environment");
  assert.match(error.message, new RegExp(`sudo apt-get install --no-install-recommends python3-${absent}$`));
  assert.ok(performance.now() - startedAt < 30_000, "an index that refuses connections is given up quickly");
});

function lockOf(...names: string[]): string {
  const path = join(folder, `${names.join("-")}.lock`);
  const lines = names.map((name) => `${name}==1.0 \\\n    --hash=sha256:${"1".repeat(64)}\n`);
  writeFileSync(path, lines.join(""));
  return path;
}
