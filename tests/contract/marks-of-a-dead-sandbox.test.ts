import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Session } from "../../src/index.ts";
import { inSession, openTestBox } from "../support/box.ts";

/** Ends the session's PID 1: the parent, as the host sees it, of the process that a cell has named. */
async function endSandbox(session: Session): Promise<void> {
  const name = `gb${process.pid}`;
  const named = await session.run(`open('/proc/self/comm', 'w').write('${name}')\nNone`);
  assert.equal(named.kind, "text", JSON.stringify(named));
  for (const entry of await readdir("/proc")) {
    const status = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/status`, "utf8").catch(() => "") : "";
    if (status.startsWith(`Name:\t${name}\n`)) {
      process.kill(Number(/^PPid:\t(\d+)$/m.exec(status)?.[1]), "SIGKILL");
      return;
    }
  }
  assert.fail("the session's process was not found");
}

test("the marks of a sandbox that has ended are gone, and those of the next one are its own", async () => {
  await inSession(await openTestBox(), async (session) => {
    await session.run("x = 1");
    const before = await session.mark();
    await endSandbox(session);
    await assert.rejects(session.returnTo(before), {
      code: "usage",
      message: /sandbox has (ended|been started anew)/,
    });
    const revived = await session.run("x = 2");
    assert.match(revived.notice ?? "", /started anew/);
    const after = await session.mark();
    await session.run("x = 3");
    await assert.rejects(session.returnTo(before), { code: "usage", message: /started anew since/ });
    await session.returnTo(after);
    const result = await session.run("x");
    assert.equal(result.kind === "object" && result.json, 2);
  });
});
