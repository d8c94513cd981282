import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellEvent } from "../../src/index.ts";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

export function outputContract(box: Box): void {
  test("output streams while the cell runs, that of C code and subprocesses too", async () => {
    await inSession(box(), async (session) => {
      const events: CellEvent[] = [];
      const code = [
        "import ctypes, os, subprocess",
        "print('python')",
        "os.write(1, b'descriptor\\n')",
        "subprocess.run(['echo', 'child'])",
        "ctypes.CDLL(None).puts(b'stdio')",
      ].join("\n");
      const result = await session.run(code, { onEvent: (event) => events.push(event) });
      const streamed = events.map((event) => (event.type === "stdout-delta" ? event.text : "")).join("");
      assert.equal(streamed, "python\ndescriptor\nchild\nstdio\n");
      assert.equal(result.stdout ?? (result.kind === "text" ? result.text : ""), streamed);
      assert.deepEqual([events.at(0)?.type, events.at(-1)?.type], ["cell-start", "cell-end"]);
    });
  });

  test("a line is there before the cell has ended", async () => {
    await inSession(box(), async (session) => {
      const seen = Promise.withResolvers<string>();
      const run = session.run("print('early')\nimport time\ntime.sleep(60)", {
        onEvent: (event) => event.type === "stdout-delta" && seen.resolve(event.text),
      });
      assert.equal(await seen.promise, "early\n");
      await session.interrupt();
      assert.equal((await run).kind, "error");
    });
  });

  test("long output is cut in the middle and saved whole", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run("for i in range(400_000): print('line', i)");
      const text = result.kind === "text" ? result.text : "";
      assert.ok(text.length < 1_200_000);
      assert.match(text, /^line 0\n/);
      assert.match(text, /\n… [\d,]+ bytes cut …\n/);
      assert.match(text, /line 399999\n$/);
      const path = /the full text is in (\S+)\./.exec(result.notice ?? "")?.[1];
      assert.ok(path, result.notice ?? "no notice");
      const whole = (await session.files.get(path)).toString();
      assert.equal(whole.split("\n").length, 400_001);
    });
  });

  test("bytes that are not text and code that is odd do no harm", async () => {
    await inSession(box(), async (session) => {
      const bytes = await session.run("import os\nos.write(1, b'\\xff\\x00ok\\n')\nprint('\\ud800')");
      assert.match(bytes.stdout ?? (bytes.kind === "text" ? bytes.text : ""), /ok\n\\ud800\n/);
      const surrogate = await session.run("'\\ud800'");
      assert.equal(surrogate.kind, "object");
      const nul = await session.run("a = 1\0");
      assert.equal(nul.kind, "error");
    });
  });

  test("what a thread or a subprocess prints after its cell is in no other cell's result", async () => {
    await inSession(box(), async (session) => {
      await session.run(
        [
          "import subprocess, threading, time",
          "stop = threading.Event()",
          "def chatter():",
          "    while not stop.is_set():",
          "        print('LATE'); time.sleep(0.005)",
          "thread = threading.Thread(target=chatter, daemon=True); thread.start()",
          "child = subprocess.Popen('while true; do echo LATE; sleep 0.01; done', shell=True)",
        ].join("\n"),
      );
      const next = await session.run("time.sleep(0.2)\nprint('mine')");
      assert.equal(next.kind === "text" && next.text, "mine\n");
      await session.run("stop.set(); thread.join(); child.kill()");
    });
  });

  test("output that grows on the wire is told in part, and the session goes on", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run(
        "import sys\nsys.stdout.write('\\0' * 1_100_000)\nsys.stderr.write('\\1' * 1_100_000)\nkept = 5",
      );
      assert.match(result.notice ?? "", /cut/);
      const next = await session.run("kept");
      assert.equal(next.kind === "object" && next.json, 5);
    });
  });

  test("a cell that wraps or takes apart its standard output keeps what it prints, and the next cell prints", async () => {
    await inSession(box(), async (session) => {
      const wrapped = await session.run(
        "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')\nprint('one')",
      );
      assert.equal(wrapped.kind === "text" && wrapped.text, "one\n");
      const next = await session.run("print('two')");
      assert.equal(next.kind === "text" && next.text, "two\n");
      await session.run("import sys\nraw = sys.stdout.detach()");
      const last = await session.run("print('three')");
      assert.equal(last.kind === "text" && last.text, "three\n", JSON.stringify(last));
    });
  });
}
