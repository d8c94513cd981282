import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureEnvironment } from "../../src/sandbox/environment/ensure.ts";
import { findEnvironment } from "../../src/sandbox/environment/find.ts";
import { startSetup } from "./setup-process.ts";
import { tinyPackages } from "./tiny-wheel.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-ended-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { lockFile, env } = tinyPackages(folder);

for (const step of ["Creating the environment", "Looking for the package index"]) {
  test(`a setup killed at "${step}" leaves no process, no result, and nothing that hinders the next`, async () => {
    const options = { home: join(folder, `killed ${step}`), lockFile, env, source: "pip" as const };
    const killed = startSetup(options, { env });
    await killed.reached(step);
    await sleep(200);
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    assert.equal(await findEnvironment(options), undefined);
    const environment = await ensureEnvironment(options);
    assert.deepEqual(environment.packages, { "glovebox-tiny": "1.0" });
    assert.equal(readdirSync(join(options.home, "environments")).length, 1);
    assert.deepEqual(processesThatName(`killed ${step}`), []);
  });
}

test("an aborted setup ends its installer and leaves an empty folder", async () => {
  const options = { home: join(folder, "aborted"), lockFile, env, source: "pip" as const };
  const controller = new AbortController();
  const onProgress = ({ step }: { step: string }) => {
    if (step === "Looking for the package index") setTimeout(() => controller.abort(), 100);
  };
  await assert.rejects(ensureEnvironment({ ...options, onProgress, signal: controller.signal }), {
    code: "aborted",
  });
  assert.deepEqual(readdirSync(join(options.home, "environments")), []);
  assert.deepEqual(processesThatName(options.home), []);
});

function processesThatName(text: string): string[] {
  const commands = readdirSync("/proc").map((pid) => {
    try {
      return /^\d+$/.test(pid) && Number(pid) !== process.pid
        ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
        : "";
    } catch {
      return "";
    }
  });
  return commands.filter((command) => command.includes(text));
}
