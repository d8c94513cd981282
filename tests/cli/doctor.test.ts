import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { glovebox, jsonLines } from "./glovebox.ts";

const walls = [
  "namespaces",
  "network",
  "host's files",
  "read-only root",
  "host's processes",
  "host's settings",
  "privileges",
  "system calls",
];
const limits = ["memory", "session's memory", "processes", "/mnt/data", "/tmp", "time", "crashes"];

test("doctor finds every wall and limit in force where sessions run safely", async () => {
  const { status, stdout, stderr } = await glovebox(["doctor", "--json"]);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  const report = jsonLines(stdout)[0] as { ok: boolean; checks: { name: string; ok: boolean | null }[] };
  assert.equal(report.ok, true);
  const names = report.checks.map((check) => check.name).filter((name) => name !== "missing");
  assert.deepEqual(names, ["Python", "packages", ...walls, ...limits]);
  const others = report.checks.filter((check) => check.ok !== true).map((check) => check.name);
  assert.deepEqual(
    others.filter((name) => name !== "session's memory" && name !== "missing"),
    [],
  );
});

test("people get the same, fitted to the terminal", async () => {
  const { status, stdout } = await glovebox(["doctor"], { env: { COLUMNS: "70" } });
  assert.equal(status, 0);
  for (const name of [...walls, ...limits]) assert.match(stdout, new RegExp(`\n  [✓–] ${name} +\\S`));
  assert.match(stdout, /\nSessions run safely on this machine\.\n$/);
});

test("without an environment doctor names the command that installs it, and installs nothing", async () => {
  const home = await mkdtemp(join(tmpdir(), "glovebox-test-"));
  try {
    const { status, stdout } = await glovebox(["doctor"], { env: { GLOVEBOX_HOME: home } });
    assert.equal(status, 3);
    assert.match(stdout, /✗ Python {2}no environment is installed\n {12}→ glovebox setup\n/);
  } finally {
    await rm(home, { recursive: true });
  }
});

test("setup says what is installed and where", async () => {
  const { status, stdout } = await glovebox(["setup"]);
  assert.equal(status, 0);
  assert.match(stdout, /^Python 3\.\d+\.\d+ with \d+ packages from \w+ was installed already, in \/.*\.\n$/);
});
