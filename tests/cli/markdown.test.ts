import assert from "node:assert/strict";
import { test } from "node:test";
import { painter } from "../../src/cli/colour.ts";
import { displayWidth } from "../../src/cli/display-width.ts";
import { loadHighlight, plainCode } from "../../src/cli/highlight.ts";
import { relinkMarkdown } from "../../src/cli/markdown/links.ts";
import { MarkdownStream, renderMarkdown } from "../../src/cli/markdown/markdown-stream.ts";
import type { Writing } from "../../src/cli/markdown/writing.ts";
import { Screen } from "./screen.ts";

function plain(columns: number): Writing {
  return { columns, colour: false, paint: painter(false), links: false, highlight: plainCode, locate: saved };
}

function styled(columns: number): Writing {
  return { ...plain(columns), colour: true, paint: painter(true), links: true };
}

function saved(path: string): string | undefined {
  return path === "/mnt/data/my chart.png" ? "/home/me/out/my chart.png" : undefined;
}

const rendered = (text: string, columns = 60) => renderMarkdown(text, plain(columns)).join("\n");

const everything = [
  "# Sales *by* month",
  "",
  "The **best _month_** was `Jan`, see [the chart](sandbox:/mnt/data/my%20chart.png) or",
  "<https://example.com/a?b=1&c=2>, ~~not~~ 東京 &amp; more.\\",
  "Second line.",
  "",
  "- one",
  "- two",
  "  1. first",
  "  2. second",
  "     - [x] done",
  "     - [ ] open",
  "",
  "| Name | Value |",
  "|:-----|------:|",
  "| Jan  | 100.5 |",
  "| **F** | 2 |",
  "",
  "> quoted",
  "> > twice",
  "",
  "```python",
  "def f(x):",
  "",
  "    return x  # twice",
  "```",
  "",
  "Setext",
  "------",
  "",
  "<div>html</div>",
  "",
  "***",
  "",
  "The end",
].join("\r\n");

test("every kind of block is laid out", () => {
  assert.equal(
    rendered(everything),
    [
      "# Sales by month",
      "",
      "The best month was `Jan`, see the chart (/home/me/out/my",
      "chart.png) or https://example.com/a?b=1&c=2, not 東京 &",
      "more.",
      "Second line.",
      "",
      "• one",
      "• two",
      "  1. first",
      "  2. second",
      "     ☑ done",
      "     ☐ open",
      "",
      "Name  Value",
      "────  ─────",
      "Jan   100.5",
      "F         2",
      "",
      "│ quoted",
      "│ ",
      "│ │ twice",
      "",
      "  def f(x):",
      "  ",
      "      return x  # twice",
      "",
      "## Setext",
      "",
      "<div>html</div>",
      "",
      "────────────────────────────────────────",
      "",
      "The end",
    ].join("\n"),
  );
});

test("a document cut anywhere comes out the same", () => {
  for (const writing of [plain(40), styled(100)]) {
    const whole = renderMarkdown(everything, writing);
    for (let cut = 0; cut <= everything.length; cut++) {
      const stream = new MarkdownStream(() => writing);
      const lines = [...stream.push(everything.slice(0, cut)), ...stream.push(everything.slice(cut))];
      assert.deepEqual([...lines, ...stream.end()], whole, `cut at ${cut}`);
    }
    const stream = new MarkdownStream(() => writing);
    const lines = [...everything].flatMap((character) => stream.push(character));
    assert.deepEqual([...lines, ...stream.end()], whole);
  }
});

test("a block is written when the next one has begun, and stands in the tail until then", () => {
  const stream = new MarkdownStream(() => plain(60));
  assert.deepEqual(stream.push("# Title\n\nOne **two"), []);
  assert.deepEqual(stream.tail(), ["# Title", "", "One **two"]);
  assert.deepEqual(stream.push("**\n"), ["# Title"]);
  assert.deepEqual(stream.tail(), ["One **two**"]);
  assert.deepEqual(stream.end(), ["", "One two"]);
  assert.deepEqual(stream.tail(), []);
});

test("lines keep to the width, with wide characters and long words", () => {
  const text = `${"東京 ".repeat(30)}\n\n${"x".repeat(130)} word\n\n- ${"long words here ".repeat(9)}\n\n> ${"q ".repeat(60)}`;
  for (const columns of [20, 40, 120]) {
    for (const line of renderMarkdown(text, plain(columns))) assert.ok(displayWidth(line) <= columns, line);
  }
});

test("a table is narrowed to fit, and becomes records where it cannot", () => {
  const table =
    "| Region | What was said about it | Sales |\n|---|---|--:|\n| North | a long remark about the north | 1,000.5 |\n";
  assert.equal(
    rendered(table, 34),
    [
      "Region  What was said        Sales",
      "        about it",
      "──────  ─────────────────  ───────",
      "North   a long remark      1,000.5",
      "        about the north",
    ].join("\n"),
  );
  assert.equal(
    rendered(
      "| a | b | c | d |\n|---|---|---|---|\n| one-thing | two-things | three-things | four-things |\n",
      20,
    ),
    "a: one-thing\nb: two-things\nc: three-things\nd: four-things",
  );
});

test("styles stand inside one another and end where they end", () => {
  assert.deepEqual(renderMarkdown("**a _b_ c** `d`", styled(60)), [
    "\x1b[1ma\x1b[22m \x1b[3m\x1b[1mb\x1b[22m\x1b[23m \x1b[1mc\x1b[22m \x1b[36md\x1b[39m",
  ]);
});

test("Python in a fence is coloured line by line", async () => {
  const highlight = await loadHighlight();
  const lines = renderMarkdown('```py\n"""a\nb""" # c\n```', { ...styled(60), highlight });
  assert.deepEqual(
    lines.map((line) => line.replaceAll("\x1b[0m", "")),
    ['  \x1b[32m"""a\x1b[39m', '  \x1b[32mb"""\x1b[39m \x1b[2m# c\x1b[22m'],
  );
});

test("links lead to the web and to saved files, and nowhere else", () => {
  const text = [
    "[web](https://example.com/x)",
    "[file](sandbox:/mnt/data/my%20chart.png)",
    "[gone](sandbox:/mnt/data/gone.png)",
    "[script](javascript:alert(1))",
    "[data](data:text/html,x)",
    "[out](sandbox:/mnt/data/../../etc/passwd)",
  ].join("\n\n");
  const screen = new Screen(80);
  const lines = renderMarkdown(text, styled(80));
  screen.write(lines.join("\n"));
  assert.deepEqual(screen.lines.filter(Boolean), [
    "web (https://example.com/x)",
    "file (/home/me/out/my chart.png)",
    "gone (/mnt/data/gone.png)",
    "script (javascript:alert(1))",
    "data (data:text/html,x)",
    "out (/mnt/data/../../etc/passwd)",
  ]);
  assert.deepEqual(
    [...new Set(screen.links)],
    ["https://example.com/x", "file:///home/me/out/my%20chart.png"],
  );
  assert.deepEqual(screen.strange, []);
});

const attacks = [
  "\x1b]52;c;QUJD\x07",
  "\x1b[2J",
  "\x9b2J",
  "\x1b]0;title\x07",
  "&#27;[2J",
  "&#x1b;]0;t&#7;",
  "\x1b[31mred",
  "\b\b\b",
];
for (const attack of attacks) {
  test(`${JSON.stringify(attack)} is shown wherever it stands`, () => {
    const places = [
      attack,
      `# ${attack}`,
      `- ${attack}`,
      `**${attack}**`,
      `\`${attack}\``,
      `> ${attack}`,
      `\`\`\`python\n${attack}\n\`\`\``,
      `\`\`\`${attack}\nx\n\`\`\``,
      `|${attack}|b|\n|---|---|\n|1|${attack}|`,
      `[text](https://e.com/${attack})`,
      `[${attack}](https://e.com/)`,
      `![${attack}](sandbox:/mnt/data/${attack})`,
      `<div>${attack}</div>`,
      `[a]: https://e.com/${attack} "t"\n\n[a]`,
    ];
    const shown = new Screen(80);
    shown.write(renderMarkdown(attack, styled(80)).join("\n"));
    assert.match(shown.text, /␛|␈|\\x9b/);
    for (const text of places) {
      const screen = new Screen(80);
      screen.write(renderMarkdown(text, styled(80)).join("\n"));
      assert.deepEqual(screen.strange, [], JSON.stringify(text));
      for (const link of screen.links) assert.match(link, /^https:\/\/e\.com\/[!-~]*$/);
      const unfinished = new MarkdownStream(() => styled(80));
      unfinished.push(text);
      const below = new Screen(80);
      below.write(unfinished.tail().join("\n"));
      assert.deepEqual(below.strange, [], JSON.stringify(text));
    }
  });
}

test("raw Markdown has its links to session files led to where they were saved", () => {
  assert.equal(
    relinkMarkdown(
      '![c](sandbox:/mnt/data/my%20chart.png "t") [d](/mnt/data/my chart.png) [e](sandbox:/mnt/data/gone) `sandbox:`',
      saved,
    ),
    '![c](/home/me/out/my%20chart.png "t") [d](/home/me/out/my%20chart.png) [e](sandbox:/mnt/data/gone) `sandbox:`',
  );
});
