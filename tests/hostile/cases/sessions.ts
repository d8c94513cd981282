import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { brief, failsWith, gives } from "../oracles.ts";

export const sessionCases: readonly HostileCase[] = [
  {
    title: "Cells asked for at once run one after another in their order",
    async act({ run }) {
      await run("order = []");
      await Promise.all(Array.from({ length: 50 }, (_, number) => run(`order.append(${number})`)));
      gives(true)([await run("order == list(range(50))")]);
    },
  },
  {
    title: "A cell asked for while one hangs runs after it is ended",
    async act({ run }) {
      const [hung, next] = await Promise.all([run("while True: pass", { timeoutMs: 500 }), run("kept")]);
      failsWith("TimeLimit")([hung]);
      gives(42)([next]);
    },
  },
  {
    title: "A cell that is cancelled twice is cancelled once",
    async act({ run, session }) {
      const cell = run("import time\nwhile True: time.sleep(0.01)", {
        onEvent: (event) => {
          if (event.type !== "cell-start") return;
          void session.interrupt();
          void session.interrupt();
          void session.interrupt({ kill: true });
          void session.interrupt();
        },
      });
      failsWith("KeyboardInterrupt")([await cell]);
    },
  },
  {
    title: "Interrupts between cells and in their first moments hit no other cell",
    async act({ run, session }) {
      for (let round = 0; round < 15; round++) {
        const cell = run("kept");
        await session.interrupt();
        const result = await cell;
        assert.ok(
          result.kind === "object" || (result.kind === "error" && result.name === "KeyboardInterrupt"),
          brief(result),
        );
        await session.interrupt();
        gives(42)([await run("kept")]);
      }
    },
  },
  {
    title: "An abort before and in the middle of a cell is a defined end",
    async act({ run }) {
      await assert.rejects(run("1", { signal: AbortSignal.abort() }), { code: "aborted" });
      const middle = new AbortController();
      const cell = run("import time\nprint('begun', flush=True)\ntime.sleep(60)", {
        signal: middle.signal,
        onEvent: (event) => event.type === "stdout-delta" && middle.abort(),
      });
      failsWith("KeyboardInterrupt")([await cell]);
    },
  },
  {
    title: "A session that is closed in the middle of a hostile cell settles its promises",
    async act({ box }) {
      const session = await box.session();
      const begun = Promise.withResolvers<void>();
      const cell = session.run(
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('begun', flush=True)\nwhile True: pass",
        {
          onEvent: (event) => event.type === "stdout-delta" && begun.resolve(),
        },
      );
      const waiting = session.run("1");
      const settled = Promise.allSettled([cell, waiting]);
      await begun.promise;
      await session.close();
      for (const outcome of await settled) {
        assert.equal(outcome.status === "rejected" && outcome.reason.code, "session-closed");
      }
    },
  },
  {
    title: "Sessions that attack at the same time do not disturb each other",
    async act({ box }) {
      const attacks = [
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        "held = []\nwhile True: held.append(bytearray(1 << 20))",
        "while True: print('x' * 1000)",
        "import os; os._exit(0)",
      ];
      const limits = { memoryBytes: 256 << 20, processes: 16 };
      const ended = attacks.map(async (code) => {
        await using session = await box.session({ limits });
        const attacked = await session.run(code, { timeoutMs: 1500 });
        assert.equal(attacked.kind, "error", brief(attacked));
        gives(2)([await session.run("1+1")]);
      });
      await using quiet = await box.session({ limits });
      for (let round = 0; round < 10; round++) gives(round)([await quiet.run(`${round}`)]);
      await Promise.all(ended);
    },
  },
  {
    title: "Ids that could lead elsewhere are refused",
    async act({ box }) {
      for (const id of ["../x", "a/b", "", ".", "x\0", "x".repeat(65), "-rf", "é"]) {
        await assert.rejects(box.session({ id }), { code: "usage" }, JSON.stringify(id));
      }
    },
  },
];
