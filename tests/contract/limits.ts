import assert from "node:assert/strict";
import { test } from "node:test";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

const MiB = 1 << 20;

export function limitsContract(box: Box): void {
  test("too large an allocation is a MemoryError that names the limit, and the rest is there", async () => {
    await using session = await box().session({ limits: { memoryBytes: 256 * MiB } });
    await session.run("kept = 'kept'");
    for (const code of ["np.ones(2**30)", "hoard = []\nwhile True: hoard.append(bytearray(8 << 20))"]) {
      const result = await session.run(code);
      assert.equal(result.kind, "error");
      assert.match(
        `${result.kind === "error" && result.message} ${result.notice}`,
        /ut of memory at 0.25 GiB/,
      );
      await session.run("hoard = None");
      const kept = await session.run("kept");
      assert.equal(kept.kind === "object" && kept.json, "kept");
    }
  });

  test("children share the memory limit of their session", async () => {
    await using session = await box().session({ limits: { memoryBytes: 256 * MiB } });
    await session.run("kept = 'kept'");
    const result = await session.run(
      [
        "import os, time",
        "for _ in range(3):",
        "    if os.fork() == 0:",
        "        hoard = bytearray(150 << 20)",
        "        for i in range(0, len(hoard), 4096): hoard[i] = 1",
        "        time.sleep(60); os._exit(0)",
        "time.sleep(30)",
      ].join("\n"),
    );
    assert.match(result.kind === "error" ? result.message : "", /out of memory at 0.25 GiB/);
    const kept = await session.run("kept");
    assert.equal(kept.kind === "object" && kept.json, "kept");
  });

  test("full folders say that no space is left", async () => {
    await using session = await box().session({ limits: { workBytes: 4 * MiB, tmpBytes: 2 * MiB } });
    for (const folder of ["/mnt/data", "/tmp"]) {
      const result = await session.run(`open('${folder}/full', 'wb').write(bytes(6 << 20))`);
      assert.match(result.kind === "error" ? result.message : "", /No space left on device|File too large/);
      await session.run(`import os; os.remove('${folder}/full')`);
    }
    const after = await session.run("open('/mnt/data/small', 'w').write('x')");
    assert.equal(after.kind, "object");
  });

  test("forking without end fails inside and leaves the session usable", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run(
        "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60); os._exit(0)",
        { timeoutMs: 20_000 },
      );
      assert.equal(result.kind === "error" && result.name, "BlockingIOError");
      await session.run("import os, signal\nos._exit(0)");
      const next = await session.run("import subprocess; subprocess.run(['true']).returncode");
      assert.equal(next.kind === "object" && next.json, 0);
    });
  });

  test("the walls in force are told", async () => {
    await inSession(box(), async (session) => {
      const walls = await session.walls();
      assert.equal(walls.memory_bytes, 1 << 30);
      assert.equal(walls.processes, 64);
    });
  });
}
