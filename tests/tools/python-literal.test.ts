import assert from "node:assert/strict";
import { test } from "node:test";
import { type PythonValue, pythonLiteral } from "../../src/support/python-literal.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();

test("Python reads every literal as the value that was written", async () => {
  const values: PythonValue = [
    null,
    true,
    false,
    0,
    -1.5,
    1e21,
    2 ** 53,
    "",
    "plain",
    'it\'s "quoted" \\ and\n\r\t\0\u007f ended',
    "ünïcödé 中国 😀 \u2028",
    '"""\\',
    "{x} %s \\N{DASH}",
    ["nested", [1, []]],
    { "a key": { b: [null] }, "": 1 },
  ];
  const read = await inSession(box, (session) =>
    session.run(`import json\njson.dumps(${pythonLiteral(values)})`),
  );
  assert.equal(read.kind, "object");
  const [, text] = [read.kind, read.kind === "object" ? read.json : undefined];
  assert.deepEqual(JSON.parse(String(text)), values);
});

test("Numbers that JSON has no form for are Python's own", () => {
  assert.deepEqual(
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 2 ** 70].map(pythonLiteral),
    ['float("nan")', 'float("inf")', 'float("-inf")', "-0.0", "1.1805916207174113e+21"],
  );
});

test("A string is written on one line, letters as they are and everything unseen escaped", () => {
  assert.equal(pythonLiteral("a\nb\u2028ü😀\ud800\u202e"), String.raw`"a\nb\u2028ü😀\ud800\u202e"`);
});
