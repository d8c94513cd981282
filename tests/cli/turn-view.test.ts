import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "../../src/cli/display-width.ts";
import type { CellResult } from "../../src/protocol/result.ts";
import { type Stage, stage, turnOf } from "./turn-events.ts";

const frame: CellResult = {
  kind: "dataframe",
  repr: "",
  columns: ["month", "sales"],
  head: [
    ["Jan", 100.5],
    ["Feb", 20],
  ],
  row_count: 2,
  meta: { dtypes: { month: "object", sales: "float64" } },
  stdout: "reading\n",
  files: [{ path: "/mnt/data/figure-1-1.png", bytes: 25955 }],
  cell: 1,
  duration_ms: 12,
};
const code = 'df = pd.read_csv("sales.csv")\ndf.groupby("month").sum()';

function runCell(on: Stage, result: CellResult, intent = "Group sales by month"): void {
  const [callId, tool, cell] = ["c1", "python_repl", 1];
  on.tell({ type: "call-start", callId, tool });
  on.tell({ type: "tool-start", callId, tool, intent, code });
  on.tell({ type: "cell-start", callId, cell, code });
  on.tell({ type: "stdout-delta", callId, cell, text: result.stdout ?? "" });
  on.pass(400);
  on.tell({ type: "cell-end", callId, cell, result });
  on.tell({ type: "tool-end", callId, tool, success: result.kind !== "error", output: "{}" });
}

function wholeTurn(on: Stage): void {
  on.tell({ type: "stage-start", stage: 1, of: 2, title: "Reading sales.csv" });
  on.tell({ type: "stage-start", stage: 2, of: 2, title: "Writing and running Python" });
  on.tell({ type: "step-start", step: 1 }, { type: "text-delta", text: "Let me **look**." });
  runCell(on, frame);
  on.tell({ type: "step-start", step: 2 });
  const answer = "Best was **January**, see [chart](sandbox:/mnt/data/figure-1-1.png).\n\n- a\n- b";
  for (const [text] of answer.matchAll(/.{1,5}/gs)) on.tell({ type: "text-delta", text });
  on.pass(100);
  on.view.finish(turnOf({ answer, cells: [{ code, result: frame }] }));
}

const cellLines = [
  '    df = pd.read_csv("sales.csv")',
  '    df.groupby("month").sum()',
  "  │ reading",
  "  month     sales",
  "  object  float64",
  "  Jan       100.5",
  "  Feb        20.0",
  "  2 × 2",
];

test("a turn on a terminal: stages, what was said, the cell, the answer, the cost", () => {
  const on = stage({ columns: 120 });
  wholeTurn(on);
  assert.deepEqual(on.screen.lines, [
    "[1/2] Reading sales.csv",
    "[2/2] Writing and running Python",
    "",
    "Let me look.",
    "",
    "✓ Group sales by month · 0.4 s",
    ...cellLines,
    "  → /home/me/kept/figure-1-1.png 25 KB",
    "",
    "Best was January, see chart (/home/me/kept/figure-1-1.png).",
    "",
    "• a",
    "• b",
    "",
    "test/model · 1 cell · 0.5 s · 1,204 tokens in, 96 out",
  ]);
  assert.deepEqual([...new Set(on.screen.links)], ["file:///home/me/kept/figure-1-1.png"]);
  assert.deepEqual(on.screen.strange, []);
});

test("without colours no escape is left but what redraws", () => {
  const on = stage({ columns: 120, colour: false });
  wholeTurn(on);
  const redraws = new RegExp(`\r(?:${"\x1b"}\\[\\d+A)?${"\x1b"}\\[J`, "g");
  const { stdout, stderr } = on.written;
  assert.ok(!`${stdout}${stderr}`.replace(redraws, "").includes("\x1b"));
  assert.match(on.screen.text, /✓ Group sales by month · 0\.4 s\n/);
});

test("into pipes: only Markdown on stdout, steps on stderr as they happen, no escape on either", () => {
  const on = stage({ stdout: "pipe", stderr: "pipe" });
  wholeTurn(on);
  assert.deepEqual(on.written, {
    stdout: "Best was **January**, see [chart](/home/me/kept/figure-1-1.png).\n\n- a\n- b\n",
    stderr: [
      "[1/2] Reading sales.csv",
      "[2/2] Writing and running Python",
      "Let me look.",
      "▸ Group sales by month",
      ...cellLines,
      "✓ Group sales by month · 0.4 s",
      "  → /home/me/kept/figure-1-1.png 25 KB",
      "test/model · 1 cell · 0.5 s · 1,204 tokens in, 96 out",
      "",
    ].join("\n"),
  });
});

test("with the answer in a pipe the terminal still shows the steps", () => {
  const on = stage({ stdout: "pipe", columns: 80 });
  wholeTurn(on);
  assert.match(on.written.stdout, /^Best was \*\*January\*\*/);
  assert.doesNotMatch(on.screen.text, /Best was/);
  assert.match(on.screen.text, /Let me look\.[\s\S]*✓ Group sales by month/);
});

test("on a narrow screen every line fits", () => {
  const on = stage({ columns: 40 });
  on.tell({ type: "notice", text: "The earlier part of the conversation was summarised, and this is long." });
  runCell(on, frame, "An intent that is far too long for a screen that has only forty columns");
  on.view.finish(
    turnOf({ answer: `${"word ".repeat(30)}\n\n| a | b |\n|---|---|\n| ${"x ".repeat(40)} | 2 |` }),
  );
  for (const line of on.screen.lines) assert.ok(displayWidth(line) < 40, line);
  assert.match(on.screen.text, /^✓ An intent that is far too lo… · 0\.4 s$/m);
});

test("what runs is shown with its time after a third of a second, and leaves no trace", () => {
  const on = stage();
  on.tell({ type: "call-start", callId: "c1", tool: "python_repl" });
  on.tell({ type: "tool-start", callId: "c1", tool: "python_repl", intent: "Wait", code: "wait()" });
  on.pass(299);
  assert.equal(on.screen.text, "");
  on.tell({ type: "stdout-delta", callId: "c1", cell: 1, text: "one\ntwo\n10 %\r20 %" });
  on.pass(1000);
  assert.deepEqual(on.screen.lines, [
    "⠹ Wait · running · 1.3 s",
    "    wait()",
    "  │ one",
    "  │ two",
    "  │ 20 %",
  ]);
  on.view[Symbol.dispose]();
  assert.deepEqual(on.screen.lines, [
    "■ Wait · stopped · 1.3 s",
    "    wait()",
    "  │ one",
    "  │ two",
    "  │ 20 %",
  ]);
});

test("thinking is shown with what is thought, and gone when the answer is there", () => {
  const on = stage();
  on.tell(
    { type: "step-start", step: 1 },
    { type: "reasoning-delta", text: "First.\nLook at \x1b[2Jcolumns" },
  );
  on.pass(500);
  assert.deepEqual(on.screen.lines, ["⠴ Thinking · 0.5 s · Look at ␛[2Jcolumns"]);
  on.tell({ type: "text-delta", text: "The ans" });
  on.pass(100);
  assert.deepEqual(on.screen.lines, ["The ans"]);
  on.view.finish(turnOf({ answer: "The answer." }));
  assert.deepEqual(on.screen.lines.slice(0, 1), ["The answer."]);
});

test("what has scrolled off is never drawn again", () => {
  const on = stage({ rows: 10, columns: 60 });
  on.tell({ type: "text-delta", text: "first\n\n" });
  for (let line = 0; line < 60; line++) {
    on.tell({ type: "text-delta", text: `word${line} ${"x".repeat(50)}\n` });
    on.pass(100);
  }
  on.tell({ type: "text-delta", text: "\nlast" });
  on.pass(100);
  on.view.finish(turnOf({ answer: "" }));
  const words = [...on.screen.text.matchAll(/word(\d+)/g)].map((match) => Number(match[1]));
  assert.deepEqual(
    words,
    Array.from({ length: 60 }, (_, line) => line),
  );
});

test("long output is folded at head and tail, with the path of the whole", () => {
  const on = stage();
  const stdout = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join("");
  runCell(on, { kind: "text", text: stdout, stdout, cell: 1, duration_ms: 1 });
  const shown = on.screen.lines.filter((line) => /[│┆]/.test(line));
  assert.deepEqual(shown, [
    ...Array.from({ length: 12 }, (_, line) => `  │ line ${line}`),
    "  ┆ … 80 more lines: /home/me/outputs/1.txt",
    ...Array.from({ length: 8 }, (_, line) => `  │ line ${92 + line}`),
  ]);
  assert.deepEqual(on.kept, [{ text: stdout, turn: "turn_1", cell: 1 }]);
  on.view[Symbol.dispose]();
});

for (const [mode, shown] of [
  ["auto", ["    line_0", "    … 29 more lines (--show-code shows all)", "    line_39"]],
  ["show", ["    line_0", "    line_20", "    line_39"]],
  ["hide", []],
] as const) {
  test(`--code ${mode} decides how much code is shown`, () => {
    const on = stage({}, { code: mode });
    const long = Array.from({ length: 40 }, (_, line) => `line_${line}`).join("\n");
    on.tell({ type: "tool-start", callId: "c1", tool: "python_repl", intent: "Long", code: long });
    on.tell({ type: "tool-end", callId: "c1", tool: "python_repl", success: true, output: "{}" });
    const wanted = /^ {4}(?:line_0|line_20|line_39|… .*)$/;
    assert.deepEqual(
      on.screen.lines.filter((line) => wanted.test(line)),
      shown,
    );
    on.view[Symbol.dispose]();
  });
}

test("a failed cell says so in its line and shows the traceback", () => {
  const on = stage();
  const traceback =
    'Traceback (most recent call last):\n  File "<cell 1>", line 1\nValueError: \x1b]0;t\x07bad';
  runCell(on, { kind: "error", name: "ValueError", message: "bad", traceback, cell: 1, duration_ms: 1 });
  assert.deepEqual(on.screen.lines, [
    "✗ Group sales by month · failed · ValueError · 0.4 s",
    ...cellLines.slice(0, 2),
    "  Traceback (most recent call last):",
    '    File "<cell 1>", line 1',
    "  ValueError: ␛]0;t␇bad",
  ]);
  on.view[Symbol.dispose]();
});

test("a tool without a cell is one line; its table and its failure are shown", () => {
  const on = stage();
  const tell = (callId: string, success: boolean, output: object) => {
    on.tell({ type: "tool-start", callId, tool: "load_csv_handle", intent: `Load ${callId}` });
    on.tell({ type: "tool-end", callId, tool: "load_csv_handle", success, output: JSON.stringify(output) });
  };
  tell("list", true, { kind: "object", json: { files: [] } });
  const { stdout: _, files: __, cell: ___, duration_ms: ____, ...table } = frame;
  tell("sales", true, { ...table, notice: "Read as cp1252." });
  tell("gone", false, { kind: "error", name: "NoSuchFile", message: "There is no gone." });
  assert.deepEqual(on.screen.lines, [
    "✓ Load list · 0.0 s",
    "✓ Load sales · 0.0 s",
    ...cellLines.slice(3),
    "  Read as cp1252.",
    "✗ Load gone · failed · NoSuchFile · 0.0 s",
    "  NoSuchFile: There is no gone.",
  ]);
  on.view[Symbol.dispose]();
});

test("two calls at once are shown side by side and written when each has ended", () => {
  const on = stage();
  for (const callId of ["a", "b"]) {
    on.tell({ type: "tool-start", callId, tool: "python_repl", intent: `Call ${callId}`, code: "x" });
  }
  on.pass(500);
  assert.deepEqual(
    on.screen.lines.filter((line) => line.includes("running")).map((line) => line.slice(2)),
    ["Call a · running · 0.5 s", "Call b · running · 0.5 s"],
  );
  for (const callId of ["b", "a"]) {
    on.tell({ type: "tool-end", callId, tool: "python_repl", success: true, output: "" });
  }
  assert.deepEqual(on.screen.lines, ["✓ Call b · 0.5 s", "    x", "✓ Call a · 0.5 s", "    x"]);
  on.view[Symbol.dispose]();
});

test("an answer that came without being streamed is written all the same", () => {
  const on = stage();
  on.view.finish(turnOf({ answer: "It is **so**." }));
  assert.equal(on.screen.lines[0], "It is so.");
});

test("what was said before something went wrong stays", () => {
  for (const kind of [{}, { stdout: "pipe" }] as const) {
    const on = stage(kind);
    on.tell({ type: "text-delta", text: "Half an **ans" });
    on.pass(100);
    on.view[Symbol.dispose]();
    assert.deepEqual(on.screen.lines, ["Half an **ans"]);
    assert.equal("stdout" in kind ? on.written.stdout : "", "");
  }
});

test("what comes of a call after its end is passed over", () => {
  const on = stage();
  on.tell({ type: "tool-start", callId: "c1", tool: "python_repl", intent: "Once", code: "x" });
  on.tell({ type: "tool-end", callId: "c1", tool: "python_repl", success: true, output: "" });
  on.tell({ type: "stdout-delta", callId: "c1", cell: 1, text: "late\n" });
  on.pass(1000);
  on.view[Symbol.dispose]();
  assert.deepEqual(on.screen.lines, ["✓ Once · 0.0 s", "    x"]);
});

test("what the first of two agents says is not part of the answer", () => {
  const on = stage({ stdout: "pipe", stderr: "pipe" });
  on.tell({ type: "stage-start", stage: 1, of: 2, title: "Files" });
  on.tell({ type: "text-delta", text: "I copied one file." });
  on.tell({ type: "stage-start", stage: 2, of: 2, title: "Python" });
  on.tell({ type: "text-delta", text: "The answer." });
  on.view.finish(turnOf({ answer: "The answer." }));
  assert.equal(on.written.stdout, "The answer.\n");
  assert.match(on.written.stderr, /^\[1\/2\] Files\nI copied one file\.\n\[2\/2\] Python\n/);
});

for (const [reason, words] of [
  ["time", /^Stopped: the turn took longer than it may\./m],
  ["content-filter", /^The model's provider filtered the answer\./m],
  ["aborted", /^Stopped\.$/m],
] as const) {
  test(`a turn that ends by ${reason} says why`, () => {
    const on = stage();
    on.tell({ type: "text-delta", text: "Half an ans" });
    on.view.finish(turnOf({ reason, answer: "Half an ans" }));
    assert.match(on.screen.text, /^Half an ans\n\n/);
    assert.match(on.screen.text, words);
  });
}

test("nothing that a sandbox or a model writes commands the terminal", () => {
  const attack = "\x1b]52;c;QUJD\x07\x1b[2J\x9b1A\x1b]8;;http://evil\x1b\\click\b";
  for (const kind of [{}, { stdout: "pipe", stderr: "pipe" }] as const) {
    const on = stage(kind, { locate: (path) => path });
    on.tell({ type: "stage-start", stage: 1, of: 2, title: attack });
    on.tell({ type: "notice", text: attack }, { type: "reasoning-delta", text: attack });
    on.pass(400);
    on.tell({ type: "text-delta", text: attack });
    on.tell({ type: "call-start", callId: "c1", tool: attack });
    on.tell({ type: "code-delta", callId: "c1", text: attack });
    on.pass(400);
    on.tell({ type: "tool-start", callId: "c1", tool: "t", intent: attack, code: attack });
    on.tell({ type: "stdout-delta", callId: "c1", cell: 1, text: `${attack}\n${attack}` });
    on.tell({ type: "stderr-delta", callId: "c1", cell: 1, text: attack });
    on.pass(400);
    const result: CellResult = {
      ...frame,
      columns: [attack, "b"],
      head: [[attack, 1]],
      stdout: `${attack}\n${attack}`,
      stderr: attack,
      notice: attack,
      files: [{ path: `/mnt/data/${attack}`, bytes: 1 }],
    };
    on.tell({ type: "cell-end", callId: "c1", cell: 1, result });
    on.tell({ type: "tool-end", callId: "c1", tool: "t", success: true, output: attack });
    on.view.finish(turnOf({ answer: attack, model: attack }));
    const all = on.written.stdout + on.written.stderr;
    assert.deepEqual(on.screen.strange, []);
    assert.deepEqual(
      on.screen.links.filter((link) => !link.startsWith("file:///")),
      [],
    );
    assert.ok(!all.includes("\x9b") && !all.includes("\x1b]52") && !all.includes("\x1b[2J"));
    if ("stdout" in kind) assert.ok(!all.includes("\x1b"));
  }
});
