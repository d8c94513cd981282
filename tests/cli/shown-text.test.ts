import assert from "node:assert/strict";
import { test } from "node:test";
import { oneLine, SafeText } from "../../src/cli/safe-text.ts";
import { glovebox, inShell } from "./glovebox.ts";

const printed = "print('\\x1b[31mred\\x1b[0m \\x1b]52;c;QUJD\\x07 \\x1b[2J\\x08 \\x9b5n\\ta\\rb')";

test("escapes of a cell are made visible; its colours go with the terminal's", async () => {
  const plain = await glovebox(["run", "-c", printed]);
  assert.equal(plain.stdout, "red ␛]52;c;QUJD␇ ␛[2J␈ \\x9b5n\ta\rb\n");
  const coloured = await glovebox(["run", "-c", printed], { env: { FORCE_COLOR: "1" } });
  assert.equal(coloured.stdout, "\x1b[31mred\x1b[0m ␛]52;c;QUJD␇ ␛[2J␈ \\x9b5n\ta\rb\n");
});

test("what is cut anywhere comes out the same", () => {
  const text = "a\x1b[1;31mb\x1b[0mc\x1b]0;t\x07\x1b\x1b[3\x1b[mz\x1b";
  const whole = new SafeText({ colour: true });
  const expected = whole.take(text) + whole.end();
  assert.equal(expected, "a\x1b[1;31mb\x1b[0mc␛]0;t␇␛␛[3\x1b[mz␛");
  for (let cut = 0; cut <= text.length; cut++) {
    const safe = new SafeText({ colour: true });
    assert.equal(safe.take(text.slice(0, cut)) + safe.take(text.slice(cut)) + safe.end(), expected);
  }
});

test("a colour that a cell leaves on ends with it", () => {
  const safe = new SafeText({ colour: true });
  assert.equal(safe.take("\x1b[31mred") + safe.end(), "\x1b[31mred\x1b[0m");
});

test("a name stays on its line and reads as it is", () => {
  assert.equal(oneLine("a\nb\tc\x1b[2J\u202etxt.exe"), "a\\nb\\tc␛[2J\\u202etxt.exe");
});

test("an error's text is filtered too", async () => {
  const { stderr } = await glovebox(["run", "-c", "raise ValueError('\\x1b]0;title\\x07')"]);
  assert.match(stderr, /ValueError: ␛\]0;title␇\n$/);
});

test("colour is off for pipes, NO_COLOR and --no-color, and on where it is forced or there is a terminal", async () => {
  const failing = "run -c 1/0";
  const colours = async (script: string) => (await inShell(script)).stdout.includes("\x1b[31m");
  const onTerminal = (line: string) => `script -qec '${line}' /dev/null </dev/null`;
  assert.deepEqual(
    {
      pipe: await colours(`$GLOVEBOX ${failing} 2>&1`),
      forced: await colours(`FORCE_COLOR=1 $GLOVEBOX ${failing} 2>&1`),
      refused: await colours(`FORCE_COLOR=1 $GLOVEBOX ${failing} --no-color 2>&1`),
      terminal: await colours(onTerminal(`$GLOVEBOX ${failing}`)),
      noColour: await colours(onTerminal(`NO_COLOR=1 $GLOVEBOX ${failing}`)),
      dumb: await colours(onTerminal(`TERM=dumb $GLOVEBOX ${failing}`)),
    },
    { pipe: false, forced: true, refused: false, terminal: true, noColour: false, dumb: false },
  );
});
