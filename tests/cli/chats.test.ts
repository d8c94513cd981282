import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { chatServer, type Line } from "./chat-server.ts";
import { glovebox, temporaryFolder, temporaryHome } from "./glovebox.ts";
import { atTerminal } from "./pseudo-terminal.ts";

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const CTRL_R = "\x12";
const ENTER = "\r";

async function chatEnv(lines: readonly Line[]) {
  const [server, home] = await Promise.all([chatServer(lines), temporaryHome()]);
  return { env: { ...server.env, GLOVEBOX_HOME: home }, requests: server.requests, home };
}

async function chatting(lines: readonly Line[], args: string[] = []) {
  const { env, requests, home } = await chatEnv(lines);
  const terminal = atTerminal(["chat", ...args], { env });
  await terminal.shows(/^›/m);
  return { ...terminal, env, requests, home };
}

test("questions from a pipe are answered line by line, in one session", async () => {
  const { env, requests } = await chatEnv([
    { cells: [{ code: "x = 20" }] },
    { text: "Set." },
    { cells: [{ code: "print(x + 1)" }] },
    { text: "It is **21**." },
  ]);
  const input = "Set x\n\n  How much is one more?  \n/vars\n/nonsense\n/quit\nnever asked\n";
  const { status, stdout, stderr } = await glovebox(["chat"], { env, input });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "Set.\nIt is **21**.\n" });
  assert.match(
    stderr,
    /│ 21\n[\s\S]*\nx {2}int .*20\n[\s\S]*There is no command \/nonsense; \/help lists them\./,
  );
  assert.match(stderr, /\nSession kept\. Continue: glovebox chat -c\n$/);
  assert.equal(requests.length, 4);
});

test("what fails in a pipe is told, does not keep the rest from being asked, and is the status", async () => {
  const { env } = await chatEnv([{ status: 401 }, { text: "Well." }]);
  const { status, stdout, stderr } = await glovebox(["chat"], { env, input: "one\ntwo\n" });
  assert.deepEqual({ status, stdout }, { status: 4, stdout: "Well.\n" });
  assert.match(stderr, /^glovebox: /m);
});

test("at a terminal a question is answered, and Ctrl-D quits at once", async () => {
  const chat = await chatting([{ cells: [{ intent: "Count", code: "6 * 7" }] }, { text: "It is **42**." }]);
  chat.type(`What is it?${ENTER}`);
  await chat.shows(
    /✓ Count · \d\.\d s\n {4}6 \* 7\n {2}42\n\nIt is 42\.\n\nollama\/scripted · 1 cell · .*\n›$/,
  );
  chat.type(CTRL_D);
  assert.equal(await chat.status, 0);
  assert.match(chat.screen.text, /\nSession kept\. Continue: glovebox chat -c$/);
  assert.deepEqual(chat.screen.strange, []);
});

test("Ctrl-C stops what runs, and the session lives", async () => {
  const chat = await chatting([
    { cells: [{ intent: "Wait", code: "x = 5\nimport time\nprint('started', flush=True)\ntime.sleep(60)" }] },
    { cells: [{ intent: "Look", code: "x" }] },
    { text: "Five." },
  ]);
  chat.type(`Wait${ENTER}`);
  await chat.shows(/│ started/);
  chat.type(CTRL_C);
  await chat.shows(/■ Wait · stopped[\s\S]*\nStopped\.\n[\s\S]*\n›$/);
  chat.type(`And x?${ENTER}`);
  await chat.shows(/✓ Look · \d\.\d s\n {4}x\n {2}5\n\nFive\.\n[\s\S]*\n›$/);
  chat.type(CTRL_D);
  assert.equal(await chat.status, 0);
});

test("a second Ctrl-C kills what ignores the first, and the session lives", async () => {
  const deaf =
    "import signal, time\nsignal.signal(2, lambda *_: print('deaf', flush=True))\nprint('started', flush=True)\nwhile True: time.sleep(1)";
  const chat = await chatting([
    { cells: [{ intent: "Be deaf", code: deaf }] },
    { cells: [{ intent: "Look", code: "1 + 1" }] },
    { text: "Two." },
  ]);
  chat.type(`Wait${ENTER}`);
  await chat.shows(/│ started/);
  chat.type(CTRL_C);
  await chat.shows(/│ deaf/);
  chat.type(CTRL_C);
  await chat.shows(/■ Be deaf · stopped[\s\S]*\nStopped\.\n[\s\S]*\n›$/);
  chat.type(`And?${ENTER}`);
  await chat.shows(/\nTwo\.\n[\s\S]*\n›$/);
  chat.type(CTRL_D);
  assert.equal(await chat.status, 0);
});

test("at an idle prompt Ctrl-C clears what is typed, then says how to quit, then quits", async () => {
  const chat = await chatting([{ text: "x" }]);
  chat.type("half a question");
  await chat.shows(/› half a question$/);
  chat.type(CTRL_C);
  await chat.shows(/›$/);
  chat.type(CTRL_C);
  await chat.shows(/\(Ctrl-C again or Ctrl-D to quit\) ›$/);
  chat.type("no");
  await chat.shows(/^› no$/m);
  chat.type(CTRL_C);
  await chat.shows(/^›$/m);
  chat.type(CTRL_C);
  await chat.shows(/to quit\) ›$/);
  chat.type(CTRL_C);
  assert.equal(await chat.status, 0);
});

test("a question may have several lines: by a backslash, by Alt-Enter and by pasting", async () => {
  const chat = await chatting([{ text: "Read." }]);
  chat.type(`one\\${ENTER}`);
  await chat.shows(/^… *$/m);
  chat.type("two\x1b\r");
  await chat.shows(/^… two\n… *$/m);
  chat.type("\x1b[200~three\rfour\x1b[201~");
  await chat.shows(/^… three\n… four$/m);
  chat.type(ENTER);
  await chat.shows(/Read\.\n[\s\S]*\n›$/);
  assert.match(JSON.stringify(chat.requests[0]?.at(-1)), /one\\ntwo\\nthree\\nfour/);
  chat.type("\x1b[A");
  await chat.shows(/^› one ⏎ two ⏎ three ⏎ four$/m);
  chat.type(`${CTRL_C}${CTRL_D}`);
  assert.equal(await chat.status, 0);
});

test("a question longer than the screen is wide can be edited at its start", async () => {
  const { env } = await chatEnv([{ text: "Read." }]);
  const chat = atTerminal(["chat"], { env, columns: 40 });
  await chat.shows(/^›/m);
  chat.type(`${"word ".repeat(16)}end`);
  await chat.shows(/end$/);
  chat.type("\x01X");
  await chat.shows(/^› Xword[\s\S]*end$/m);
  assert.deepEqual(chat.screen.lines.slice(-3), [
    "› Xword word word word word word word wo",
    "rd word word word word word word word wo",
    "rd end",
  ]);
  chat.type(`${CTRL_C}${CTRL_D}`);
  assert.equal(await chat.status, 0);
});

test("history is there in the next chat: by arrow and by Ctrl-R", async () => {
  const chat = await chatting([{ text: "Answered." }]);
  for (const question of ["Sales by month?", "Costs?"]) {
    chat.type(`${question}${ENTER}`);
    await chat.shows(new RegExp(`› ${question.replace("?", "\\?")}\n\n?Answered\\.\n[\\s\\S]*\n›$`));
  }
  chat.type(CTRL_D);
  assert.equal(await chat.status, 0);
  const next = atTerminal(["chat"], { env: chat.env });
  await next.shows(/^›/m);
  next.type("\x1b[A");
  await next.shows(/› Costs\?$/);
  next.type(CTRL_C);
  await next.shows(/›$/);
  next.type(CTRL_R);
  next.type("sal");
  await next.shows(/\(search “sal”\) Sales by month\?$/);
  next.type(ENTER);
  await next.shows(/› Sales by month\?\n\n?Answered\./);
  await next.shows(/›$/);
  next.type(CTRL_D);
  assert.equal(await next.status, 0);
});

test("the commands look, take back, change the model and save", async () => {
  const folder = await temporaryFolder();
  const data = join(folder, "sales.csv");
  await writeFile(data, "a,b\n1,2\n");
  const plot = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])\ntotal = 3\nprint('`x`')";
  const chat = await chatting(
    [
      { cells: [{ intent: "Draw it", code: plot }] },
      { text: "See [chart](sandbox:/mnt/data/figure-1-1.png)." },
      { cells: [{ code: "total = 4" }] },
      { text: "Changed." },
    ],
    [data],
  );
  const says = async (line: string, pattern: RegExp) => {
    chat.type(`${line}${ENTER}`);
    await chat.shows(new RegExp(`${pattern.source}[\\s\\S]*\\n›$`));
  };
  await says("Draw", /See chart\s\(\/.*figure-1-1\.png\)\./);
  await says(
    "/files",
    /› \/files\n\/mnt\/data\/figure-1-1\.png +\d+ KB .*\n\/mnt\/data\/sales\.csv +8 bytes /,
  );
  await says("Change it", /Changed\./);
  await says("/undo", /The last question and its answer are taken back\./);
  await says("/vars", /› \/vars[\s\S]*total +int +\d+ bytes +3/);
  await says("/cost", /4,800 tokens in, 136 out\./);
  await says("/model offline", /offline answers\./);
  await says("/model nobody/x", /glovebox: /);
  chat.type("/mod\t");
  await chat.shows(/› \/model *$/);
  chat.type(ENTER);
  await chat.shows(/offline answers\. Another/);
  await chat.shows(/›$/);
  const file = join(folder, "talk.md");
  await says(`/save ${file}`, /Saved to/);
  chat.type(CTRL_D);
  assert.equal(await chat.status, 0);
  assert.match(
    await readFile(file, "utf8"),
    new RegExp(
      [
        "^# Conversation\n\nModel: offline · session: \\S+\n\n## Question 1\n\n> Draw\n\n\\*\\*Draw it\\*\\*\n",
        "```python\nimport matplotlib\\.pyplot as plt[\\s\\S]*\n```\n",
        "```text\n`x`\n```\n",
        "!\\[figure\\]\\(talk_files/figure-1-1\\.png\\)\n",
        "See \\[chart\\]\\(talk_files/figure-1-1\\.png\\)\\.\n$",
      ].join("\n"),
    ),
  );
  assert.equal(
    (await readFile(join(folder, "talk_files", "figure-1-1.png"))).subarray(1, 4).toString(),
    "PNG",
  );
});

test("--continue goes on with the last conversation", async () => {
  const { env, requests } = await chatEnv([{ text: "Blue." }, { text: "I said blue." }]);
  assert.equal((await glovebox(["chat"], { env, input: "Which colour?\n" })).status, 0);
  const { status, stdout } = await glovebox(["chat", "-c"], { env, input: "What did you say?\n" });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "I said blue.\n" });
  assert.match(JSON.stringify(requests[1]), /Which colour\?[\s\S]*Blue\.[\s\S]*What did you say\?/);
});

test("what is typed while an answer comes is there for the next question", async () => {
  const chat = await chatting([
    { cells: [{ code: "import time\nprint('started', flush=True)\ntime.sleep(1)" }] },
    { text: "First." },
    { text: "Second." },
  ]);
  chat.type(`One${ENTER}`);
  await chat.shows(/│ started/);
  chat.type(`Two${ENTER}`);
  await chat.shows(/First\.\n[\s\S]*\n› Two\n\n?Second\.\n[\s\S]*\n›$/);
  chat.type(CTRL_D);
  assert.equal(await chat.status, 0);
});
