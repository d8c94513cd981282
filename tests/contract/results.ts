import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellResult } from "../../src/index.ts";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

/** The result without what differs from run to run. */
function essence({ duration_ms, ...rest }: CellResult): unknown {
  assert.equal(typeof duration_ms, "number");
  return rest;
}

export function resultsContract(box: Box): void {
  const runOne = (code: string) => inSession(box(), (session) => session.run(code));

  test("a cell without a value says so", async () => {
    assert.deepEqual(essence(await runOne("x = 1")), {
      kind: "text",
      text: "Code executed. No return value.",
      cell: 1,
    });
  });

  test("printed text is the result of a cell without a value", async () => {
    assert.deepEqual(essence(await runOne("print('Grüße')")), { kind: "text", text: "Grüße\n", cell: 1 });
  });

  test("a value and printed text come side by side", async () => {
    assert.deepEqual(
      essence(await runOne("print('out')\nimport sys\nprint('err', file=sys.stderr)\n{'a': [1, None]}")),
      {
        kind: "object",
        repr: "{'a': [1, None]}",
        json: { a: [1, null] },
        stdout: "out\n",
        stderr: "err\n",
        cell: 1,
      },
    );
  });

  test("a semicolon keeps the value to itself", async () => {
    assert.equal((await runOne("1 + 1;")).kind, "text");
  });

  test("a frame comes as columns, rows and types", async () => {
    const result = await runOne("pd.DataFrame({'n': [1, 2], 's': ['a', None]}, index=['x', 'y'])");
    assert.equal(result.kind, "dataframe");
    assert.deepEqual(
      { columns: result.columns, head: result.head, row_count: result.row_count, index: result.meta.index },
      {
        columns: ["n", "s"],
        head: [
          [1, "a"],
          [2, null],
        ],
        row_count: 2,
        index: ["x", "y"],
      },
    );
    assert.match(result.repr, /n\s+s/);
  });

  test("a series is a frame of one column", async () => {
    const result = await runOne("pd.Series([1.5, float('nan')], name='v')");
    assert.equal(result.kind, "dataframe");
    assert.deepEqual([result.columns, result.head, result.row_count], [["v"], [[1.5], [null]], 2]);
  });

  test("an error shows the cell's own lines and none of ours", async () => {
    const result = await runOne("def half(n):\n    return n / 0\n\nhalf(4)");
    assert.equal(result.kind, "error");
    assert.deepEqual([result.name, result.message], ["ZeroDivisionError", "division by zero"]);
    assert.match(result.traceback, /File "<cell 1>", line 4, in <module>\n {4}half\(4\)/);
    assert.match(result.traceback, /File "<cell 1>", line 2, in half\n {4}return n \/ 0/);
    assert.doesNotMatch(result.traceback, /glovebox|IPython/);
  });

  test("a syntax error points at its place", async () => {
    const result = await runOne("a = 1\nb = = 2");
    assert.equal(result.kind, "error");
    assert.equal(result.name, "SyntaxError");
    assert.match(result.traceback, /<cell 1>", line 2/);
    assert.doesNotMatch(result.traceback, /glovebox|IPython/);
  });

  test("what was printed before an error is kept", async () => {
    const result = await runOne("print('so far')\n1/0");
    assert.equal(result.kind, "error");
    assert.equal(result.stdout, "so far\n");
  });

  test("top-level await, magics and shell commands work", async () => {
    await inSession(box(), async (session) => {
      assert.equal((await session.run("import asyncio\nawait asyncio.sleep(0, 'slept')")).kind, "object");
      const shell = await session.run("!echo from the shell");
      assert.deepEqual(shell.kind === "text" && shell.text, "from the shell\n");
      const captured = await session.run("files = !echo one; echo two\nlist(files)");
      assert.deepEqual(captured.kind === "object" && captured.json, ["one", "two"]);
      const timed = await session.run("%timeit -n1 -r1 1+1");
      assert.match(timed.kind === "text" ? timed.text : "", /per loop/);
      const bash = await session.run("%%bash\necho $((6*7))");
      assert.equal(bash.kind === "text" && bash.text, "42\n");
    });
  });

  test("display keeps order, plain text and rich forms", async () => {
    const result = await runOne(
      "from IPython.display import HTML\nprint('a')\ndisplay(HTML('<b>b</b>'))\nprint('c')",
    );
    assert.equal(result.kind === "text" && result.text, "a\n<IPython.core.display.HTML object>\nc\n");
    assert.deepEqual(result.displays?.[0]?.data["text/html"], "<b>b</b>");
  });

  test("a value's rich form comes beside the result", async () => {
    const result = await runOne("class Card:\n    def _repr_html_(self): return '<i>card</i>'\nCard()");
    assert.deepEqual(result.displays, [{ data: { "text/html": "<i>card</i>" }, ofResult: true }]);
  });

  test("exit ends neither the session nor its variables", async () => {
    await inSession(box(), async (session) => {
      await session.run("kept = 7");
      for (const code of ["exit()", "quit()", "import sys; sys.exit(3)"]) {
        const result = await session.run(code);
        assert.equal(result.kind === "error" && result.name, "SystemExit");
        assert.match(result.kind === "error" ? result.message : "", /the session goes on/);
      }
      const kept = await session.run("kept");
      assert.equal(kept.kind === "object" && kept.json, 7);
    });
  });

  test("asking for input or a debugger ends at once with words", async () => {
    await inSession(box(), async (session) => {
      const asked = await session.run("input('name? ')");
      assert.match(asked.kind === "error" ? asked.message : "", /nobody to ask/);
      const stopped = await session.run("breakpoint()");
      assert.match(stopped.kind === "error" ? stopped.message : "", /no terminal/);
    });
  });

  test("installing says what is there instead", async () => {
    await inSession(box(), async (session) => {
      for (const code of ["%pip install pandas no-such-thing", "!pip install pandas no-such-thing"]) {
        const result = await session.run(code);
        const text = result.kind === "text" ? result.text : "";
        assert.match(text, /Already installed: pandas \d/);
        assert.match(text, /no-such-thing cannot be installed: there is no network/);
      }
      const missing = await session.run("import no_such_module");
      assert.match(missing.notice ?? "", /cannot be installed/);
    });
  });

  test("using the network fails with a sentence, not a hang", async () => {
    const result = await runOne("pd.read_csv('http://example.com/x.csv')");
    assert.equal(result.kind, "error");
    assert.match(result.notice ?? "", /no network in here/);
  });
}
