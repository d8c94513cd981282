import assert from "node:assert/strict";
import { test } from "node:test";
import { GloveboxError, type Session } from "../../src/index.ts";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

const MiB = 1 << 20;
const STAY = "Files in /mnt/data are not touched and stay as they are now.";

async function value(session: Session, code: string): Promise<unknown> {
  const result = await session.run(code);
  assert.equal(result.kind, "object", JSON.stringify(result));
  return result.kind === "object" ? result.json : undefined;
}

function gone(why: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof GloveboxError && error.code === "usage" && why.test(error.message);
}

export function marksContract(box: Box): void {
  test("a session returns to a mark as often as wanted: variables go back, files stay, numbers go on", async () => {
    await inSession(box(), async (session) => {
      await session.run("frame = pd.DataFrame({'a': [1, 2, 3]})\ncount = 0");
      const mark = await session.mark();
      assert.equal(mark.cell, 1);
      for (const cell of [2, 5]) {
        await session.run("frame.a += 1\ncount += 1\nextra = 1\nopen('log.txt', 'a').write('x')");
        assert.deepEqual(await session.returnTo(mark), {
          notice: `The variables are as they were after cell 1. ${STAY}`,
        });
        const result = await session.run("(frame.a.tolist(), count, 'extra' in globals())");
        assert.equal(result.cell, cell + 1);
        assert.deepEqual(result.kind === "object" && result.json, [[1, 2, 3], 0, false]);
        assert.deepEqual(
          (await session.variables()).map(({ name }) => name),
          ["count", "frame"],
        );
        await session.run("count = 10");
      }
      assert.equal((await session.files.get("log.txt")).toString(), "xx");
    });
  });

  test("a mark before the first cell is of an empty session", async () => {
    await inSession(box(), async (session) => {
      const mark = await session.mark();
      await session.run("made = 1");
      assert.deepEqual(await session.returnTo(mark), {
        notice: `The variables are as they were before the first cell. ${STAY}`,
      });
      assert.deepEqual(await session.variables(), []);
    });
  });

  test("marks take their turn among cells that are asked for at once", async () => {
    await inSession(box(), async (session) => {
      await session.run("seen = []");
      const [, first, , second, ,] = await Promise.all([
        session.run("import time\ntime.sleep(0.2)\nseen.append(1)"),
        session.mark(),
        session.run("seen.append(2)"),
        session.mark(),
        session.run("seen.append(3)"),
        session.run("seen.append(4)"),
      ]);
      await session.returnTo(second);
      assert.deepEqual(await value(session, "seen"), [1, 2]);
      await session.returnTo(first);
      assert.deepEqual(await value(session, "seen"), [1]);
    });
  });

  test("a mark is there after crashes, time limits and interrupts, and a crash after a return loses its own cell only", async () => {
    await inSession(box(), async (session) => {
      await session.run("import os, random, time\nrandom.seed(3)\nkept = [1]");
      const mark = await session.mark();
      await session.run("kept.append(2)");
      for (const [code, timeoutMs] of [
        ["kept.append(9)\nos._exit(1)", 5000],
        ["kept.append(9)\nwhile True: pass", 200],
        ["import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", 200],
      ] as const) {
        assert.equal((await session.run(code, { timeoutMs })).kind, "error");
        await session.returnTo(mark);
        const died = await session.run("kept.append(9)\nos._exit(1)");
        assert.match(died.notice ?? "", /variables are as before this cell/);
        const quick = await Promise.all([
          session.run("kept.append(random.random())\nkept"),
          session.run("os._exit(1)"),
          session.run("kept"),
        ]);
        assert.match(quick[1]?.notice ?? "", /variables are as before this cell/);
        assert.deepEqual(
          quick[2]?.kind === "object" && quick[2].json,
          quick[0]?.kind === "object" && quick[0].json,
        );
        await session.returnTo(mark);
        assert.deepEqual(await value(session, "kept"), [1]);
      }
    });
  });

  test("a mark that is gone says why", async () => {
    await inSession(box(), async (session) => {
      const marks = [];
      for (let count = 0; count < 9; count++) {
        await session.run(`x = ${count}`);
        marks.push(await session.mark());
      }
      const [oldest, second, third, fourth] = marks as [never, never, never, never];
      await assert.rejects(session.returnTo(oldest), gone(/keeps 8 marks, and it was the oldest/));
      await session.returnTo(third);
      assert.equal(await value(session, "x"), 2);
      await assert.rejects(session.returnTo(fourth), gone(/has returned to mark 3, which is before it/));
      await session.unmark(second);
      await session.unmark(second);
      await assert.rejects(session.returnTo(second), gone(/forgotten on request/));
      await inSession(box(), async (other) => {
        await assert.rejects(other.returnTo(third), gone(/no mark of this session/));
      });
      assert.equal(await value(session, "x"), 2);
    });
  });

  test("where threads are alive that a copy would lack there is no mark, and a return ends them", async () => {
    await inSession(box(), async (session) => {
      await session.run("safe = 1");
      const mark = await session.mark();
      await session.run(
        "import threading\nwait = threading.Event()\nthreading.Thread(target=wait.wait, daemon=True).start()",
      );
      await assert.rejects(session.mark(), { code: "variables", message: /1 thread is alive/ });
      await session.returnTo(mark);
      assert.deepEqual(await value(session, "(safe, __import__('threading').active_count())"), [1, 1]);
      assert.equal((await session.mark()).cell, 3);
    });
  });

  test("what cells left running ends with a return, which says so", async () => {
    await inSession(box(), async (session) => {
      const mark = await session.mark();
      await session.run("import subprocess\nleft = subprocess.Popen(['sleep', '600'])");
      assert.match((await session.returnTo(mark)).notice, /What cells had left running was ended/);
      assert.equal(
        await value(
          session,
          "import glob\nsum(open(each).read() == 'sleep\\n' for each in glob.glob('/proc/[0-9]*/comm'))",
        ),
        0,
      );
    });
  });

  test("marks give way to a cell that needs their memory, the oldest first", async () => {
    await using session = await box().session({ limits: { memoryBytes: 256 * MiB } });
    const marks = [];
    for (let count = 0; count < 5; count++) {
      await session.run(`held = bytearray(b'${count}') * (90 << 20)`);
      marks.push(await session.mark());
    }
    const rewritten = await session.run(
      "del held\nheld = bytearray(b'x') * (180 << 20)\nfor i in range(0, len(held), 4096): held[i] = 1\nlen(held) >> 20",
    );
    assert.equal(rewritten.kind === "object" && rewritten.json, 180, JSON.stringify(rewritten));
    assert.equal(await value(session, "len(held) >> 20"), 180);
    const [oldest] = marks as [never];
    await assert.rejects(session.returnTo(oldest), gone(/the session needs its memory/));
    assert.equal(await value(session, "len(held) >> 20"), 180);
  });

  test("marks take none of the processes that cells may have", async () => {
    await inSession(box(), async (session) => {
      for (let count = 0; count < 8; count++) {
        await session.run(`x = ${count}`);
        await session.mark();
      }
      const started = await session.run(
        "import subprocess\nall_of_them = [subprocess.Popen(['sleep', '60']) for _ in range(60)]\nlen(all_of_them)",
      );
      assert.equal(started.kind === "object" && started.json, 60, JSON.stringify(started));
    });
  });

  test("a cell that ends the marks' processes loses the marks alone, and one that stops them loses nothing", async () => {
    await inSession(box(), async (session) => {
      await session.run("x = 1");
      const mark = await session.mark();
      await session.run(`x = 2\n${signalCopies("SIGSTOP")}`);
      await session.returnTo(mark);
      assert.equal(await value(session, "x"), 1);
      await session.run(`x = 3\n${signalCopies("SIGKILL")}`);
      await assert.rejects(session.returnTo(mark), gone(/its process has ended/));
      const next = await session.mark();
      await session.run("x = 4");
      await session.returnTo(next);
      assert.equal(await value(session, "x"), 3);
    });
  });

  test("a session whose processes or descriptors are used up returns to its mark", async () => {
    await inSession(box(), async (session) => {
      await session.run("x = 1");
      const mark = await session.mark();
      for (const code of [
        "import os, time\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(600)\nexcept OSError: pass",
        "import os\ntry:\n    while True: os.dup(0)\nexcept OSError: pass",
      ]) {
        assert.equal((await session.run(code)).kind, "text");
        await session.returnTo(mark);
        assert.equal(await value(session, "x"), 1);
      }
      assert.equal(await value(session, "import subprocess\nsubprocess.run(['true']).returncode"), 0);
    });
  });
}

function signalCopies(signal: string): string {
  return [
    "import glob, os, signal",
    "for each in glob.glob('/proc/[0-9]*/comm'):",
    `    if 'copy' in open(each).read(): os.kill(int(each.split('/')[2]), signal.${signal})`,
  ].join("\n");
}
