import assert from "node:assert/strict";
import { test } from "node:test";
import { chatServer, type Line } from "./chat-server.ts";
import { temporaryHome } from "./glovebox.ts";
import { atTerminal, type TerminalCall } from "./pseudo-terminal.ts";

const plot = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])";
const drawn: Line[] = [{ cells: [{ intent: "Draw", code: plot }] }, { text: "# Done\n\nIt is **drawn**." }];

async function asking(lines: readonly Line[], args: string[] = [], call: Partial<TerminalCall> = {}) {
  const [server, home] = await Promise.all([chatServer(lines), temporaryHome()]);
  const env = { ...server.env, GLOVEBOX_HOME: home, ...call.env };
  return { ...atTerminal(["ask", "What is it?", ...args], { ...call, env }), home };
}

test("the answer is rendered, the figure's path is a link, nothing else is left", async () => {
  const ask = await asking(drawn, [], { columns: 200 });
  assert.equal(await ask.status, 0);
  const path = `${ask.home}/sessions/.*/files/figure-1-1\\.png`;
  assert.match(
    ask.screen.text,
    new RegExp(
      `^✓ Draw · \\d+\\.\\d s\n    import matplotlib.*\n    _ = .*\n  → ${path} \\d+ KB\n\nDone\n\nIt is drawn\\.\n\nollama/scripted · .*$`,
    ),
  );
  assert.deepEqual(ask.screen.strange, []);
  assert.match([...new Set(ask.screen.links)].join(), new RegExp(`^file://${path}$`));
});

test("figures are drawn where the terminal is said to take them", async () => {
  const ask = await asking(drawn, ["--images", "kitty"]);
  assert.equal(await ask.status, 0);
  assert.match(ask.written(), /_Ga=T,f=100,q=2,c=72,m=1;iVBOR/);
});

test("a terminal that is not known is asked, and its answer is not taken for typed text", async () => {
  const ask = await asking(drawn, [], { env: { TERM: "xterm-256color", TERM_PROGRAM: undefined } });
  await new Promise<void>((resolve) => {
    const wait = () => (ask.written().includes("\x1b[c") ? resolve() : setImmediate(wait));
    wait();
  });
  ask.type("\x1b[?62;4;22c");
  assert.equal(await ask.status, 0);
  assert.doesNotMatch(ask.screen.text, /62;4;22c/);
});

test("Ctrl-C at the keyboard stops the cell and leaves with 130", async () => {
  const code = "import time\nprint('started', flush=True)\ntime.sleep(60)";
  const ask = await asking([{ cells: [{ intent: "Wait", code }] }]);
  await ask.shows(/│ started/);
  ask.type("\x03");
  assert.equal(await ask.status, 130);
  assert.match(
    ask.screen.text,
    /■ Wait · stopped · [\s\S]*\nStopped\.\n[\s\S]*\nSession kept\. Continue: glovebox chat -c$/,
  );
});
