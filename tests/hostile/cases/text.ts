import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { last, printed, succeeds } from "../oracles.ts";
import { py } from "../python.ts";

export const textCases: readonly HostileCase[] = [
  {
    title: "Lone surrogates, NUL, invalid UTF-8, escapes and carriage returns in output are text",
    cells: [
      py`
        import sys
        print("\ud800", "a\0b", "\x1b[2J\x1b]0;title\x07", "over\rwritten", "\u202e", "\ufeff")
        sys.stdout.flush()
        _ = sys.stdout.buffer.write(b"\xff\xfe\x80\n")
      `,
    ],
    expect(results) {
      succeeds(results);
      const text = printed(last(results));
      assert.ok(text.includes("a\0b") && text.isWellFormed());
    },
  },
  {
    title: "Values of lone surrogates and NUL are told as well-formed text",
    cells: ["{'\\ud800': '\\udfff', 'n': '\\0', 'f': float('nan'), 'b': b'\\xff', 'i': 10**400}"],
    expect: (results) => assert.ok(JSON.stringify(last(results)).isWellFormed()),
  },
  ...Object.entries({
    "lone surrogates": "x = '\ud800'",
    "NUL bytes": "x = '\0'",
    "a byte order mark": "\ufeffx = 1",
    "every line ending": "x = 1\r\ny = 2\rz = 3\n",
    "another encoding's declaration": "# -*- coding: utf-7 -*-\nx = '+AGEAYg-'",
    "letters that turn the direction of reading": "x = 1 # \u202e } \u2066",
  }).map(([what, code]) => ({ title: `Code with ${what} is run or refused`, cells: [code] })),
  {
    title: "Nine megabytes of code are run or refused, and the variables stay",
    async act({ run }) {
      await run(`#${"x".repeat(9 << 20)}`).catch((error) => assert.equal(error.name, "GloveboxError"));
    },
  },
  {
    title: "Two megabytes of control bytes as code are run or refused, and the variables stay",
    async act({ run }) {
      await run(`#${"\x01".repeat(2 << 20)}`).catch((error) => assert.equal(error.name, "GloveboxError"));
    },
  },
  {
    title: "Seventeen megabytes of code are refused before they are sent, and the variables stay",
    async act({ run }) {
      await run(`#${"x".repeat(17 << 20)}`).catch((error) => assert.equal(error.name, "GloveboxError"));
    },
  },
];
