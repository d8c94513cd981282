import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { glovebox, inShell, jsonLines, start, temporaryFolder } from "./glovebox.ts";

const wrong: [args: string[], line: string][] = [
  [["rnu"], 'There is no command "rnu"; did you mean "glovebox run"?'],
  [["frobnicate"], 'There is no command "frobnicate"; "glovebox --help" lists them.'],
  [["run", "--jsn", "-c", "1"], "run has no flag --jsn; did you mean --json?"],
  [["run", "--frobnicate"], 'run has no flag --frobnicate; "glovebox run --help" lists them.'],
  [["run"], "There is nothing to run; give a file, -c CODE, or - for standard input."],
  [["run", "-", "-"], "Standard input can be read once only; give - once."],
  [["run", "-c"], '-c needs a value; "glovebox run --help" shows which.'],
  [["run", "--json=yes", "-c", "1"], '--json takes no value; leave out "=yes".'],
  [["run", "--timeout", "0", "-c", "1"], '--timeout is "0"; give seconds above 0, like 90 or 0.5.'],
  [["run", "--timeout", "soon", "-c", "1"], '--timeout is "soon"; give seconds above 0, like 90 or 0.5.'],
  [["run", "--memory", "lots", "-c", "1"], '--memory is "lots"; give a size like 512m or 4g.'],
  [["run", "--memory", "1k", "-c", "1"], '--memory is "1k"; the least is 64 MB.'],
  [["run", "--disk", "1k", "-c", "1"], '--disk is "1k"; the least is 1 MB.'],
  [["run", "--sandbox", "moat", "-c", "1"], 'There is no sandbox "moat"; there is: local, docker, auto.'],
  [["run", "missing.py"], "Cannot read missing.py: there is no such file; check the path."],
  [
    ["run", "-c", "1", "--data", "gone.csv"],
    "Cannot read --data gone.csv: there is no such file; check the path.",
  ],
  [["ask", "what", "is", "here"], 'There are two questions, "what" and "is"; put one question into quotes.'],
  [["ask", " "], "The question is empty; say what to find out."],
  [["ask", "What?", "pakage.json"], "There is no file or folder pakage.json; did you mean package.json?"],
  [["ask", "What?", "src/clii/"], "There is no file or folder src/clii/; did you mean src/cli?"],
  [
    ["ask", "What?", "nowhere/x.csv"],
    "There is no file or folder nowhere/x.csv; check the path, or put a question into quotes with spaces.",
  ],
  [["ask", "What?", "none/*.csv"], "No file matches none/*.csv; check the path."],
  [
    ["ask", "What?", "https://example.com/a.csv"],
    "https://example.com/a.csv is an address; download the file first and name it.",
  ],
  [
    ["ask", "package.json"],
    'There is no question; give one in quotes: glovebox ask sales.csv "What is in here?"',
  ],
  [["ask", "What?", "--code", "some"], '--code is "some"; give one of auto, show, hide.'],
  [["ask", "What?", "--images", "gif"], '--images is "gif"; give one of auto, kitty, iterm, sixel, none.'],
  [["ask", "What?", "--format", "xml"], '--format is "xml"; give one of md, csv, json.'],
  [["ask", "What?", "--model", ""], "--model is empty; give it a model's name."],
  [["ask", "What?", "--tools", "no.ts"], "Cannot read --tools no.ts: there is no such file; check the path."],
  [["ask", "What?", "--modle", "x"], "ask has no flag --modle; did you mean --model?"],
  [
    ["ask", "What?", "-c", "--session", "a"],
    "--continue goes on in the session it was in; leave out --session.",
  ],
  [
    ["chat", "what"],
    "There is no file or folder what; check the path, or put a question into quotes with spaces.",
  ],
  [["setup", "--source", "conda"], '--source is "conda"; give one of uv, pip, debian.'],
  [["doctor", "now"], 'doctor takes no "now"; "glovebox doctor --help" shows what it takes.'],
];

for (const [args, line] of wrong) {
  test(`glovebox ${args.join(" ")} is told in one line`, async () => {
    assert.deepEqual(await glovebox(args), { status: 2, stdout: "", stderr: `glovebox: ${line}\n` });
  });
}

test("without a conversation there is nothing to continue", async () => {
  const home = await temporaryFolder();
  const { status, stderr } = await glovebox(["chat", "-c"], { env: { GLOVEBOX_HOME: home } });
  assert.equal(status, 2);
  assert.match(stderr, /^glovebox: There is no conversation to continue; begin one with /);
});

test("with --json wrong usage is an object too", async () => {
  const { status, stdout, stderr } = await glovebox(["run", "--json"]);
  const message = "There is nothing to run; give a file, -c CODE, or - for standard input.";
  assert.deepEqual(
    { status, lines: jsonLines(stdout), stderr },
    { status: 2, lines: [{ error: { code: "usage", message } }], stderr: "" },
  );
});

test("with --format json it is as well", async () => {
  for (const flags of [["--format", "json"], ["--format=json"]]) {
    const { status, stdout, stderr } = await glovebox(["ask", ...flags, "gone.csv"]);
    const message =
      "There is no file or folder gone.csv; check the path, or put a question into quotes with spaces.";
    assert.deepEqual(
      { status, lines: jsonLines(stdout), stderr },
      { status: 2, lines: [{ error: { code: "usage", message } }], stderr: "" },
    );
  }
});

test("help is the same however it is asked for, with examples", async () => {
  for (const command of ["ask", "chat", "run", "models", "setup", "doctor"]) {
    const asked = await glovebox(["help", command]);
    assert.equal(asked.status, 0);
    assert.match(asked.stdout, new RegExp(`Usage: glovebox ${command}[\\s\\S]*Examples:\n`));
    assert.deepEqual(await glovebox([command, "--help"]), asked);
  }
  const overview = await glovebox(["--help"]);
  assert.match(
    overview.stdout,
    /ask .*\n.*chat .*\n.*run .*\n.*serve .*\n.*mcp .*\n.*models .*\n.*setup .*\n.*doctor /,
  );
  assert.deepEqual(await glovebox([]), { status: 2, stdout: "", stderr: overview.stdout });
});

test("--version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  assert.deepEqual(await glovebox(["--version"]), { status: 0, stdout: `${version}\n`, stderr: "" });
});

test("help and version load none of the heavy parts", async () => {
  const { stdout } = await inShell(
    "NODE_DEBUG=esm $GLOVEBOX --help 2>&1 | grep -cE 'zod|/marked/|/highlight[.]js/|node_modules/openai|compose[.]ts|session[.]ts'",
  );
  assert.equal(stdout, "0\n");
});

test("the launcher passes arguments, streams and the status on", async () => {
  const launcher = fileURLToPath(new URL("../../bin/glovebox.js", import.meta.url));
  const { status, stdout } = await start("node", [launcher, "run", "-"], { input: "print('in'); 1/0" });
  assert.deepEqual({ status, stdout }, { status: 1, stdout: "in\n" });
});
