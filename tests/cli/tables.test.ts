import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "../../src/cli/display-width.ts";
import { glovebox } from "./glovebox.ts";

const pandas = "import pandas as pd, numpy as np\n";

test("a table has types under its names, numbers to the right and its size below", async () => {
  const code = `${pandas}pd.DataFrame({'name': ['Ada', None], 'born': pd.to_datetime(['1815-12-10', None]), 'n': [1, 20], 'x': [0.5, 12.25]})`;
  assert.deepEqual(await glovebox(["run", "-c", code]), {
    status: 0,
    stdout: [
      "name    born                n        x",
      "object  datetime64[ns]  int64  float64",
      "Ada     1815-12-10          1     0.50",
      "–       –                  20    12.25",
      "2 × 4",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("a wide table loses its middle columns, a long one its later rows, and says so", async () => {
  const code = `${pandas}pd.DataFrame({f'column_{i}': range(1204) for i in range(18)})`;
  for (const columns of [40, 60, 100]) {
    const { stdout } = await glovebox(["run", "-c", code], { env: { COLUMNS: String(columns) } });
    const lines = stdout.trimEnd().split("\n");
    assert.ok(lines.every((line) => displayWidth(line) <= columns));
    assert.match(lines[0] ?? "", /^column_0 .* … .* column_17$/);
    assert.match(lines.at(-1) ?? "", /^1,204 × 18 · \+\d+ columns$/);
    assert.equal(lines.length, 2 + 10 + 2);
  }
});

test("names that repeat, numbers as names, an index and wide characters stay aligned", async () => {
  const code = `${pandas}pd.DataFrame([[1, 'a', 2.0], [3, '東京', np.inf]], columns=[1, 0, 0], index=['first', '二'])`;
  const { stdout } = await glovebox(["run", "-c", code]);
  assert.equal(
    stdout,
    [
      "           1  0             0",
      "       int64  object  float64",
      "first      1  a           2.0",
      "二         3  東京        inf",
      "2 × 3",
      "",
    ].join("\n"),
  );
});

test("cells cannot break out of their line", async () => {
  const { stdout } = await glovebox(["run", "-c", `${pandas}pd.DataFrame({'a\\x1b[2J': ['x\\ny\\x07']})`]);
  assert.equal(stdout, "a␛[2J\nobject\nx\\ny␇\n1 × 1\n");
});
