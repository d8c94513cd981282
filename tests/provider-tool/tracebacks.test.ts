import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/protocol/items.ts";
import { readCodeRuns } from "../../src/tools/openai-code-interpreter/code-run.ts";
import { codeCall } from "./recorded.ts";

const RULE = "-".repeat(75);

function runOf(...logs: string[]) {
  const item = codeCall({ outputs: logs.map((text) => ({ type: "logs", logs: text })) }) as Item;
  const value = readCodeRuns([item])[0]?.value;
  return { stdout: value?.stdout, stderr: value?.stderr, exitCode: value?.exitCode };
}

const ipython = [
  RULE,
  "ZeroDivisionError                         Traceback (most recent call last)",
  "Cell In[3], line 2",
  "      1 print('before')",
  "----> 2 1/0",
  "",
  "ZeroDivisionError: division by zero",
].join("\n");
const plain =
  'Traceback (most recent call last):\n  File "<cell>", line 1, in <module>\n    1/0\n    ~^~\nZeroDivisionError: division by zero';
const syntax = "  Cell In[1], line 1\n    print(\n         ^\nSyntaxError: incomplete input";
const chained = `${plain}\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "<cell>", line 3, in <module>\nValueError: no`;
const several = ipython.replace("division by zero", "a message\nof two lines");

const failing: [string, string, string][] = [
  ["IPython's traceback", "before\n", ipython],
  ["IPython's traceback with a message of several lines", "", several],
  ["Python's own traceback", "before\n", plain],
  [
    "an exception without a message",
    "",
    'Traceback (most recent call last):\n  File "<cell>", line 1, in <module>\nKeyboardInterrupt',
  ],
  [
    "an exception with a dotted name",
    "",
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\npandas.errors.ParserError: bad line',
  ],
  ["a chain of exceptions", "x\n", chained],
  ["code that does not compile", "", syntax],
];

for (const [what, stdout, stderr] of failing) {
  test(`${what} is told from what was printed before it`, () => {
    assert.deepEqual(runOf(`${stdout}${stderr}\n`), { stdout, stderr: stderr.trim(), exitCode: 1 });
  });
}

test("colours do not hide a traceback", () => {
  const coloured = ipython
    .replace("ZeroDivisionError  ", "\u001b[0;31mZeroDivisionError\u001b[0m  ")
    .replace(RULE, `\u001b[31m${RULE}\u001b[0m`);
  assert.deepEqual(runOf(coloured), { stdout: "", stderr: ipython, exitCode: 1 });
});

test("logs in several parts are read as one text", () => {
  assert.deepEqual(runOf("before", plain), { stdout: "before\n", stderr: plain, exitCode: 1 });
});

const passing: [string, string][] = [
  ["a traceback that was printed and survived", `${plain}\nwent on\n`],
  ["text about tracebacks", "A Traceback (most recent call last): is what Python prints.\n"],
  ["a line like an exception", "ValueError: 3 rows\n"],
  ["a header alone", "Traceback (most recent call last):\n"],
  ["a report of a syntax error", "SyntaxError: found 3 in the logs\n"],
];

for (const [what, logs] of passing) {
  test(`${what} is no failure`, () => {
    assert.deepEqual(runOf(logs), { stdout: logs, stderr: "", exitCode: 0 });
  });
}

test("endless logs are bounded and say what was cut", () => {
  const { stdout } = runOf("x".repeat(3 << 20));
  assert.match(stdout ?? "", /… 2097152 characters cut …/);
  assert.ok((stdout ?? "").length < (1 << 20) + 100);
});
