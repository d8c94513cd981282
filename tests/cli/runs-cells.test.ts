import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { glovebox, inShell, jsonLines, temporaryFolder } from "./glovebox.ts";

test("files, standard input and -c run in the order given, in one session", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "step.py");
  await writeFile(file, "steps.append('file')\n");
  const outcome = await glovebox(["run", "-c", "steps = ['first']", file, "-", "-c", "steps"], {
    input: "steps.append('stdin')",
  });
  assert.deepEqual(outcome, { status: 0, stdout: "['first', 'file', 'stdin']\n", stderr: "" });
});

test("stdout, stderr and the value go where they belong", async () => {
  const code = "import sys; print('out'); print('err', file=sys.stderr); print('open', end=''); 6 * 7";
  assert.deepEqual(await glovebox(["run", "-c", code]), {
    status: 0,
    stdout: "out\nopen\n42\n",
    stderr: "err\n",
  });
});

test("output beyond what is streamed is shown with its middle cut", async () => {
  const { stdout, stderr } = await glovebox(["run", "-c", "print('a' * 600_000); print('b' * 900_000)"]);
  assert.ok(stdout.startsWith("a".repeat(500_000)));
  assert.match(stdout, /\n… [\d,]+ bytes cut …\n/);
  assert.ok(stdout.endsWith(`${"b".repeat(500_000)}\n`));
  assert.match(stderr, /stdout was 1,500,002 bytes long/);
});

test("--json gives one whole object a cell and nothing else", async () => {
  const { status, stdout, stderr } = await glovebox([
    ...["run", "--json", "--keep-going", "-c", "print('a')"],
    ...["-c", "open('made.txt', 'w').write('xyz')", "-c", "import pandas as pd; pd.DataFrame({'n': [1]})"],
    ...["-c", "1/0", "-c", "print('\\x9b\\x1b')"],
  ]);
  const lines = jsonLines(stdout);
  assert.ok(lines.every((line) => typeof line.duration_ms === "number"));
  assert.deepEqual(
    lines.map(({ duration_ms: _, ...line }) => line),
    [
      { kind: "text", text: "a\n", cell: 1 },
      { kind: "object", repr: "3", json: 3, files: [{ path: "/mnt/data/made.txt", bytes: 3 }], cell: 2 },
      {
        kind: "dataframe",
        repr: "   n\n0  1\n\n[1 rows x 1 columns]",
        columns: ["n"],
        head: [[1]],
        row_count: 1,
        meta: { dtypes: { n: "int64" }, source: "pandas" },
        cell: 3,
      },
      {
        kind: "error",
        name: "ZeroDivisionError",
        message: "division by zero",
        traceback: lines[3]?.traceback,
        cell: 4,
      },
      { kind: "text", text: "\u009b\u001b\n", cell: 5 },
    ],
  );
  assert.doesNotMatch(stdout, /(?!\n)\p{Cc}/u);
  assert.deepEqual({ status, stderr }, { status: 1, stderr: "" });
});

test("a reader that leaves ends the run quietly", async () => {
  const { stdout, stderr } = await inShell(
    `$GLOVEBOX run -c 'for n in range(100_000): print(n)' -c 'print("next")' | head -2; echo "\${PIPESTATUS[0]}"`,
  );
  assert.deepEqual({ stdout, stderr }, { stdout: "0\n1\n141\n", stderr: "" });
});
