import assert from "node:assert/strict";
import { test } from "node:test";
import { GloveboxError, type Session } from "../../src/index.ts";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

async function value(session: Session, code: string): Promise<unknown> {
  const result = await session.run(code);
  assert.equal(result.kind, "object", JSON.stringify(result));
  return result.kind === "object" ? result.json : undefined;
}

export function stateContract(box: Box): void {
  test("variables live from cell to cell, and sessions do not share them", async () => {
    await inSession(box(), async (one) => {
      await inSession(box(), async (other) => {
        await one.run("x = 'one'");
        await other.run("x = 'other'");
        assert.equal(await value(one, "x"), "one");
        assert.equal(await value(other, "x"), "other");
      });
    });
  });

  test("a crash, an exit, a killed process and an endless loop each lose their own cell and nothing else", async () => {
    await inSession(box(), async (session) => {
      await session.run(
        "import ctypes, os, signal\nkept = list(range(100_000))\nframe = pd.DataFrame({'a': kept})",
      );
      const deaths: [code: string, words: RegExp][] = [
        ["lost = 1\nos._exit(0)", /exited with status 0/],
        ["lost = 1\nctypes.string_at(0)", /segmentation fault/],
        ["lost = 1\nos.abort()", /abort/],
        ["lost = 1\nos.kill(os.getpid(), 9)", /killed/],
        ["lost = 1\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", /time limit of 1 s/],
      ];
      for (const [code, words] of deaths) {
        const result = await session.run(code, { timeoutMs: 1000 });
        assert.equal(result.kind, "error");
        assert.match(result.kind === "error" ? result.message : "", words);
        assert.match(result.notice ?? "", /variables are as before this cell/);
        assert.deepEqual(await value(session, "(len(kept), int(frame.a.sum()), 'lost' in globals())"), [
          100_000,
          4_999_950_000,
          false,
        ]);
      }
    });
  });

  test("an interrupt that suffices leaves the state as the cell left it", async () => {
    await inSession(box(), async (session) => {
      const reached = Promise.withResolvers<void>();
      const running = session.run(
        "import time\nreached = True\nprint('reached')\ntime.sleep(60)\nreached = False",
        {
          onEvent: (event) => event.type === "stdout-delta" && reached.resolve(),
        },
      );
      await reached.promise;
      await session.interrupt();
      const result = await running;
      assert.equal(result.kind === "error" && result.name, "KeyboardInterrupt");
      assert.match(result.notice ?? "", /as the cell left them/);
      assert.equal(await value(session, "reached"), true);
    });
  });

  test("a time limit that an interrupt can keep leaves the state too", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run("count = 0\nwhile True: count += 1", { timeoutMs: 300 });
      assert.equal(result.kind === "error" && result.name, "TimeLimit");
      assert.match(result.notice ?? "", /time limit of 0.3 s/);
      assert.equal(await value(session, "count > 0"), true);
    });
  });

  test("a signal stops a running cell, and one that is waiting is not run", async () => {
    await inSession(box(), async (session) => {
      const stop = new AbortController();
      const started = Promise.withResolvers<void>();
      const running = session.run("import time\ntime.sleep(60)", {
        signal: stop.signal,
        onEvent: (event) => event.type === "cell-start" && started.resolve(),
      });
      const waiting = session.run("ran = True", { signal: stop.signal });
      await started.promise;
      stop.abort();
      assert.equal((await running).kind, "error");
      await assert.rejects(waiting, (error) => error instanceof GloveboxError && error.code === "aborted");
      assert.equal(await value(session, "'ran' in globals()"), false);
    });
  });

  test("cells asked for at once run in their order", async () => {
    await inSession(box(), async (session) => {
      await session.run("order = []");
      await Promise.all(Array.from({ length: 20 }, (_, index) => session.run(`order.append(${index})`)));
      assert.deepEqual(await value(session, "order"), [...Array(20).keys()]);
    });
  });

  test("quick cells that follow one another at once are there after a crash, and those with other effects are run once", async () => {
    await inSession(box(), async (session) => {
      await session.run("import os, random\nrandom.seed(7)\nseen = []");
      const results = await Promise.all([
        session.run("seen.append(random.random())"),
        session.run("seen.append(random.random())\nseen"),
        session.run("os._exit(3)"),
        session.run("seen"),
      ]);
      assert.match(results[2]?.notice ?? "", /variables are as before this cell/);
      assert.deepEqual(
        results[3]?.kind === "object" && results[3].json,
        results[1]?.kind === "object" && results[1].json,
      );
      await Promise.all([
        session.run("open('log.txt', 'a').write('once\\n')"),
        session.run("seen.append('after')"),
        session.run("os._exit(3)"),
      ]);
      assert.equal((await session.files.get("log.txt")).toString(), "once\n");
      assert.equal(await value(session, "seen[-1]"), "after");
    });
  });

  test("threads that a copy would lack are said, and a crash goes back to the last safe state", async () => {
    await inSession(box(), async (session) => {
      await session.run("safe = 1");
      const threaded = await session.run(
        "import threading\nwait = threading.Event()\nthreading.Thread(target=wait.wait, daemon=True).start()",
      );
      assert.match(threaded.notice ?? "", /No checkpoint was made: 1 thread/);
      const died = await session.run("import os\nos._exit(1)");
      assert.match(died.notice ?? "", /state after cell 1: what cell 2 made is lost/);
      assert.deepEqual(await value(session, "(safe, 'wait' in globals())"), [1, false]);
    });
  });

  test("what a cell replaces of Python itself is put back, which is said, and the cell's other doings stay", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run(
        "import builtins, sys\nkept = 1\nbuiltins.len = 3\nsys.setrecursionlimit(60)",
      );
      assert.equal(result.kind, "text");
      assert.equal(result.notice, "Python's own len had been replaced and was put back.");
      assert.deepEqual(await value(session, "(kept, len([1]), sys.getrecursionlimit() >= 1000)"), [
        1,
        1,
        true,
      ]);
    });
  });

  test("variables are told by name, type, size and shape", async () => {
    await inSession(box(), async (session) => {
      assert.deepEqual(await session.variables(), []);
      await session.run("n = 5\nframe = pd.DataFrame({'a': [1, 2, 3]})\narray = np.zeros((4, 5))\nimport os");
      const variables = await session.variables();
      assert.deepEqual(
        variables.map(({ name, type, shape }) => ({ name, type, shape })),
        [
          { name: "array", type: "numpy.ndarray", shape: [4, 5] },
          { name: "frame", type: "pandas.DataFrame", shape: [3, 1] },
          { name: "n", type: "int", shape: undefined },
        ],
      );
      assert.equal(variables[2]?.repr, "5");
      assert.equal(variables[0]?.bytes, 160);
    });
  });

  test("a repr that never ends does not stop the session", async () => {
    await inSession(box(), async (session) => {
      await session.run("class Slow:\n    def __repr__(self):\n        while True: pass\nslow = Slow()");
      await assert.rejects(session.variables(), /could not be described in time/);
      assert.equal(await value(session, "1 + 1"), 2);
    });
  });

  test("a closed session says so", async () => {
    const session = await box().session();
    await session.run("1");
    await session.close();
    await assert.rejects(
      session.run("1"),
      (error) => error instanceof GloveboxError && error.code === "session-closed",
    );
  });

  test("several first uses at once open one kernel, and a close in the middle ends them all", async () => {
    const session = await box().session();
    const [files, variables, result] = await Promise.all([
      session.files.list(),
      session.variables(),
      session.run("1 + 1"),
    ]);
    assert.deepEqual([files, variables, result.kind], [[], [], "object"]);
    const late = session.run("import time; time.sleep(60)");
    late.catch(() => {});
    await Promise.resolve();
    await session.close();
    await assert.rejects(late, { code: "session-closed" });
  });

  test("a listener that fails is the caller's error, and the session goes on", async () => {
    await inSession(box(), async (session) => {
      const failing = session.run("print('x')", {
        onEvent: () => {
          throw new Error("listener");
        },
      });
      await assert.rejects(failing, /listener/);
      assert.equal(await value(session, "1 + 1"), 2);
      await assert.rejects(session.run("1", { timeoutMs: Number.MAX_VALUE }), { code: "usage" });
    });
  });

  test("an interrupt in a cell's first moment and after its last hurts nobody", async () => {
    await inSession(box(), async (session) => {
      await session.run("kept = 1");
      const result = await session.run("import time\ntime.sleep(60)", {
        onEvent: (event) => {
          if (event.type === "cell-start" || event.type === "cell-end") void session.interrupt();
        },
      });
      assert.equal(result.kind === "error" && result.name, "KeyboardInterrupt");
      assert.match(result.notice ?? "", /as the cell left them/);
      assert.equal(await value(session, "kept"), 1);
    });
  });

  test("real-time signals, values that cannot be drawn and exits that cannot be told are results too", async () => {
    await inSession(box(), async (session) => {
      await session.run("kept = 1");
      for (const code of [
        "import os\nos.kill(os.getpid(), 40)",
        "class Picture:\n    def _repr_png_(self): return 'abc'\nPicture()",
        "class Bad:\n    def __repr__(self): raise ValueError('no')\nimport sys\nsys.exit(Bad())",
        "raise OSError([1], 'x')",
      ]) {
        const result = await session.run(code);
        assert.ok(result.kind === "error" || result.kind === "object", code);
        assert.equal(await value(session, "kept"), 1, code);
      }
    });
  });
}
