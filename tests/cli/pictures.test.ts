import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { ReadStream } from "node:tty";
import { deflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { takesSixels } from "../../src/cli/pictures/ask-terminal.ts";
import { drawEncoded, pngSize } from "../../src/cli/pictures/draw.ts";
import { openPictures } from "../../src/cli/pictures/pictures.ts";
import { protocolByEnvironment } from "../../src/cli/pictures/protocol.ts";
import { drawSixel } from "../../src/cli/pictures/sixel.ts";
import { throughTmux } from "../../src/cli/pictures/tmux.ts";
import { recordedTerminal } from "./screen.ts";
import { stage } from "./turn-events.ts";

function picture(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(0x80);
  return PNG.sync.write(png);
}

test("the environment tells which protocol a terminal takes", () => {
  const found = (env: NodeJS.ProcessEnv) => protocolByEnvironment({ TERM: "xterm-256color", ...env });
  assert.deepEqual(
    {
      kitty: found({ TERM: "xterm-kitty" }),
      ghostty: found({ TERM_PROGRAM: "ghostty" }),
      konsole: found({ KONSOLE_VERSION: "230804" }),
      iterm: found({ TERM_PROGRAM: "iTerm.app" }),
      wezterm: found({ TERM_PROGRAM: "WezTerm" }),
      foot: found({ TERM: "foot" }),
      apple: found({ TERM_PROGRAM: "Apple_Terminal" }),
      console: found({ TERM: "linux" }),
      dumb: found({ TERM: "dumb" }),
      other: found({}),
    },
    {
      kitty: "kitty",
      ghostty: "kitty",
      konsole: "kitty",
      iterm: "iterm",
      wezterm: "iterm",
      foot: "sixel",
      apple: "none",
      console: "none",
      dumb: "none",
      other: "unsure",
    },
  );
});

test("kitty and iTerm2 get the PNG as it is, in base64", () => {
  const png = picture(640, 480);
  const kitty = drawEncoded("kitty", png, { columns: 72 });
  const chunks = [...kitty.matchAll(/_G([^;]*);([A-Za-z0-9+/=]*)/g)];
  assert.equal(chunks[0]?.[1], `a=T,f=100,q=2,c=72,m=${chunks.length > 1 ? 1 : 0}`);
  assert.equal(chunks.map((chunk) => chunk[2]).join(""), png.toString("base64"));
  assert.equal(
    drawEncoded("iterm", png, { columns: 72 }),
    `\x1b]1337;File=inline=1;size=${png.length};width=72;preserveAspectRatio=1:${png.toString("base64")}\x07`,
  );
});

test("sixels are scaled to the width and end where they end", () => {
  const png = picture(2000, 1000);
  const drawn = drawSixel(png, { width: 2000, height: 1000 }, 80) ?? "";
  assert.ok(drawn.startsWith("\x1bP") && drawn.endsWith("\x1b\\"));
  assert.match(drawn, /"1;1;648;324/);
});

test("what only pretends to be a picture is not drawn", async () => {
  const bomb = Buffer.concat([
    picture(1, 1).subarray(0, 16),
    Buffer.from("7fffffff7fffffff", "hex"),
    deflateSync("x"),
  ]);
  const size = pngSize(bomb);
  assert.deepEqual(size, { width: 0x7fffffff, height: 0x7fffffff });
  assert.equal(drawSixel(bomb, size ?? { width: 1, height: 1 }, 80), undefined);
  assert.equal(pngSize(Buffer.from("GIF89a and more than twenty-four bytes")), undefined);
  const { terminal } = recordedTerminal();
  const pictures = await openPictures("kitty", terminal, { TERM: "xterm-kitty" });
  assert.equal(pictures?.draw(Buffer.from("not a picture"), 80), undefined);
  assert.equal(pictures?.draw(Buffer.alloc(9 << 20), 80), undefined);
});

test("no picture goes into a pipe, and none where none is wanted", async () => {
  const env = { TERM: "xterm-kitty" };
  assert.equal(
    await openPictures("kitty", recordedTerminal({ stdout: "pipe", stderr: "pipe" }).terminal, env),
    undefined,
  );
  assert.equal(await openPictures("none", recordedTerminal().terminal, env), undefined);
});

function keyboard() {
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode: (mode: boolean) => raw.push(mode),
  });
  return { input: input as unknown as ReadStream, raw, type: (text: string) => void input.write(text) };
}

for (const [answer, takes] of [
  ["\x1b[?62;4;22c", true],
  ["\x1b[?64;22c", false],
] as const) {
  test(`a terminal that answers ${JSON.stringify(answer)} ${takes ? "takes" : "does not take"} sixels`, async () => {
    const { input, raw, type } = keyboard();
    const asked: string[] = [];
    const write = (text: string) => {
      asked.push(text);
      type(`ls${answer}`);
    };
    assert.equal(await takesSixels({ input, write }), takes);
    assert.deepEqual({ asked, raw }, { asked: ["\x1b[c"], raw: [true, false] });
    assert.equal(String(input.read()), "ls");
  });
}

test("a terminal that does not answer in time takes none, and its late answer is swallowed", async () => {
  const { input, raw, type } = keyboard();
  assert.equal(await takesSixels({ input, write: () => {} }), false);
  assert.deepEqual(raw, [true]);
  const given = once(input, "pause");
  type("\x1b[?62;4c");
  await given;
  assert.deepEqual({ raw, left: input.read() }, { raw: [true, false], left: null });
});

test("through tmux every escape is doubled, and room is made first", () => {
  assert.equal(
    throughTmux("\x1b_Gx\x1b\\", 2),
    "\n\n\x1b[2A\x1b7\x1bPtmux;\x1b\x1b_Gx\x1b\x1b\\\x1b\\\x1b8\x1b[2B",
  );
});

for (const [stderr, stream] of [
  ["terminal", "stderr"],
  ["pipe", "stdout"],
] as const)
  test(`a cell's figure is drawn under it where stderr is a ${stderr}`, async () => {
    const { terminal } = recordedTerminal();
    const pictures = await openPictures("iterm", terminal, { TERM: "xterm" });
    const on = stage(
      { stderr },
      { pictures, readFile: (path) => (path.endsWith("figure-1-1.png") ? picture(4, 3) : undefined) },
    );
    const images = [{ file: "/mnt/data/figure-1-1.png", mime: "image/png" }];
    const files = [{ path: "/mnt/data/figure-1-1.png", bytes: 70 }];
    on.tell({ type: "tool-start", callId: "c", tool: "python_repl", intent: "Draw", code: "plt.plot()" });
    const result = { kind: "text" as const, text: "", images, files, cell: 1, duration_ms: 1 };
    on.tell({ type: "cell-end", callId: "c", cell: 1, result });
    on.tell({ type: "tool-end", callId: "c", tool: "python_repl", success: true, output: "" });
    on.view[Symbol.dispose]();
    const drawn = on.written[stream].indexOf("\x1b]1337;File=inline=1;");
    assert.ok(drawn >= 0);
    assert.ok(stream === "stdout" || drawn > on.written.stderr.indexOf("plt.plot()"));
    assert.equal(on.written[stream === "stdout" ? "stderr" : "stdout"].includes("1337"), false);
    assert.match(on.written.stderr, /→ .*figure-1-1\.png/);
  });
