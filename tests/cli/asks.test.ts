import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { chatServer, type Line } from "./chat-server.ts";
import { glovebox, jsonLines, type Outcome, temporaryFolder, temporaryHome } from "./glovebox.ts";

const plot = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])\nprint('drawn')\nx = 6 * 7\nx";
const script: Line[] = [
  { text: "I draw it.", cells: [{ intent: "Draw a line", code: plot }] },
  { text: "It is **42**, see [the chart](sandbox:/mnt/data/figure-1-1.png)." },
];

async function asked(
  args: string[],
  lines: readonly Line[] = script,
  call: Parameters<typeof glovebox>[1] = {},
): Promise<Outcome & { home: string; requests: Awaited<ReturnType<typeof chatServer>>["requests"] }> {
  const home = await temporaryHome();
  const server = await chatServer(lines);
  const env = { ...server.env, GLOVEBOX_HOME: home, ...call.env };
  return { ...(await glovebox(["ask", ...args], { ...call, env })), home, requests: server.requests };
}

/** The one session that a home has kept. */
async function keptFiles(home: string): Promise<string> {
  const [session = ""] = await readdir(join(home, "sessions"));
  return join(home, "sessions", session, "files");
}

test("the answer is Markdown on stdout, the way to it is on stderr, the chart is kept and named", async () => {
  const { status, stdout, stderr, home } = await asked(["What is it?"]);
  const chart = join(await keptFiles(home), "figure-1-1.png");
  assert.deepEqual({ status, stdout }, { status: 0, stdout: `It is **42**, see [the chart](${chart}).\n` });
  assert.match(
    stderr.replace(/\d+\.\d s/g, "0.0 s").replace(/\d+ KB/g, "1 KB"),
    new RegExp(
      [
        "^I draw it\\.",
        "▸ Draw a line",
        "    import matplotlib\\.pyplot as plt",
        "    _ = plt\\.plot\\(\\[1, 2\\]\\)",
        "    print\\('drawn'\\)",
        "    x = 6 \\* 7",
        "    x",
        "  │ drawn",
        "  42",
        "✓ Draw a line · 0\\.0 s",
        `  → ${chart} 1 KB`,
        "ollama/scripted · 1 cell · 0\\.0 s · 2,400 tokens in, 68 out\n$",
      ].join("\n"),
    ),
  );
  assert.equal((await readFile(chart)).subarray(1, 4).toString(), "PNG");
});

test("files are told from the question in any order, and are there for the code", async () => {
  const folder = await temporaryFolder();
  const [one, two] = [join(folder, "one.csv"), join(folder, "two.csv")];
  await writeFile(one, "a\n1\n");
  await writeFile(two, "a\n2\n");
  const lines = [{ cells: [{ code: "import os; sorted(os.listdir('/mnt/data'))" }] }, { text: "Two." }];
  const { status, stdout, stderr } = await asked([one, "How many files?", join(folder, "*.csv")], lines);
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "Two.\n" });
  assert.match(stderr, /^\[1\/2\] .*\n[\s\S]*\n\[2\/2\] /);
  assert.match(stderr, /\['one\.csv', 'two\.csv'\]/);
});

test("--out gets what the cells make, and the answer's links lead there", async () => {
  const out = join(await temporaryFolder(), "results");
  const { status, stdout, stderr } = await asked(["What is it?", "--out", out, "--code", "hide"]);
  assert.equal(status, 0);
  assert.deepEqual(await readdir(out), ["figure-1-1.png"]);
  assert.match(stdout, new RegExp(`\\(${join(out, "figure-1-1.png")}\\)`));
  assert.doesNotMatch(stderr, /import matplotlib/);
});

test("--json is one object with the answer, its cells and its files", async () => {
  const { status, stdout, stderr, home } = await asked(["What is it?", "--json"]);
  const [told] = jsonLines(stdout) as [
    Record<string, unknown> & { cells: { result: { duration_ms: number } }[] },
  ];
  const files = await keptFiles(home);
  const chart = join(files, "figure-1-1.png");
  const bytes = (await readFile(chart)).length;
  const made = { path: "/mnt/data/figure-1-1.png", bytes };
  const duration_ms = told.cells[0]?.result.duration_ms;
  assert.deepEqual(
    { status, stderr, told },
    {
      status: 0,
      stderr: "",
      told: {
        answer: `It is **42**, see [the chart](${chart}).`,
        model: "ollama/scripted",
        cells: [
          {
            code: plot,
            intent: "Draw a line",
            result: {
              kind: "object",
              repr: "42",
              json: 42,
              stdout: "drawn\n",
              images: [{ file: made.path, mime: "image/png" }],
              files: [made],
              cell: 1,
              duration_ms,
            },
          },
        ],
        files: [{ ...made, saved: chart }],
        usage: {
          input_tokens: 2400,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 68,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 2468,
        },
        session: files.split("/").at(-2),
      },
    },
  );
});

test("--format csv gives all rows of the last table, and says the rest beside it", async () => {
  const code = "import pandas as pd\npd.DataFrame({'n': range(3000), 'name': 'a,b'})";
  const { status, stdout, stderr } = await asked(
    ["All rows", "--format", "csv"],
    [{ cells: [{ code }] }, { text: "Here it is." }],
  );
  const rows = stdout.trimEnd().split("\n");
  assert.deepEqual(
    { status, rows: rows.length, head: rows.slice(0, 2) },
    {
      status: 0,
      rows: 3001,
      head: ["n,name", '0,"a,b"'],
    },
  );
  assert.match(stderr, /\nHere it is\.\n/);
});

test("--format csv gives the answer's own table where no cell came to one", async () => {
  const answer =
    "| region | *total* |\n| --- | ---: |\n| `North`, far | 16,521.42 |\n| West | −3 |\n\nThat is all.";
  const { status, stdout } = await asked(
    ["By region", "--format", "csv"],
    [{ cells: [{ code: "1" }] }, { text: answer }],
  );
  assert.deepEqual(
    { status, stdout },
    { status: 0, stdout: 'region,total\n"North, far",16521.42\nWest,-3\n' },
  );
});

test("the question may come from standard input", async () => {
  const { status, stdout, requests } = await asked(["-"], [{ text: "Yes." }], { input: "Is it\nso?\n" });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "Yes.\n" });
  assert.match(JSON.stringify(requests[0]?.at(-1)), /Is it\\nso\?/);
});

test("--continue goes on with what was said and with the files", async () => {
  const home = await temporaryHome();
  const server = await chatServer([
    { cells: [{ code: "open('kept.txt', 'w').write('kept')" }] },
    { text: "Written." },
    { cells: [{ code: "print(open('kept.txt').read())" }] },
    { text: "Still there." },
  ]);
  const env = { ...server.env, GLOVEBOX_HOME: home };
  assert.equal((await glovebox(["ask", "Write it down"], { env })).status, 0);
  const second = await glovebox(["ask", "-c", "Is it still there?"], { env });
  assert.deepEqual({ status: second.status, stdout: second.stdout }, { status: 0, stdout: "Still there.\n" });
  assert.match(second.stderr, /│ kept\n/);
  assert.match(JSON.stringify(server.requests[2]), /Write it down[\s\S]*Written\.[\s\S]*Is it still there\?/);
  assert.equal((await readdir(join(home, "sessions"))).length, 1);
});

test("Ctrl-C stops the cell, tells how to go on and leaves with 130", async () => {
  const code = "import time\nprint('started', flush=True)\ntime.sleep(60)";
  const { status, stdout, stderr } = await asked(["Wait"], [{ cells: [{ intent: "Wait", code }] }], {
    onShown: { text: "│ started", on: "stderr", act: (kill) => kill("SIGINT") },
  });
  assert.deepEqual({ status, stdout }, { status: 130, stdout: "" });
  assert.match(
    stderr,
    /■ Wait · stopped · [\s\S]*\nStopped\.\n[\s\S]*Session kept\. Continue: glovebox chat -c\n$/,
  );
});

test("a model that is not reached or refuses is status 4, in JSON as well", async () => {
  const nobody = await asked(["What?"], script, { env: { OLLAMA_BASE_URL: "http://127.0.0.1:9/v1" } });
  assert.deepEqual({ status: nobody.status, stdout: nobody.stdout }, { status: 4, stdout: "" });
  assert.match(nobody.stderr, /^glovebox: .+\n$/);
  const refused = await asked(["What?", "--json"], [{ status: 401 }]);
  assert.equal(refused.status, 4);
  const [told] = jsonLines(refused.stdout) as [{ error: { code: string } }];
  assert.equal(told.error.code, "model-refused");
});

test("no answer is status 1, and the time limit is 124", async () => {
  assert.equal((await asked(["What?"], [{ text: "" }])).status, 1);
  const code = "import time\ntime.sleep(60)";
  const late = await asked(["Wait", "--timeout", "2"], [{ cells: [{ code }] }]);
  assert.equal(late.status, 124);
  assert.match(late.stderr, /Stopped: the turn took longer than it may\./);
});

test("without a key and without a server the built-in analyst answers", async () => {
  const home = await temporaryHome();
  const file = join(await temporaryFolder(), "fruit.csv");
  await writeFile(file, "fruit,price\napple,1.5\npear,2.5\nplum,0.5\n");
  const env = { GLOVEBOX_HOME: home, GLOVEBOX_MODEL: undefined };
  const { status, stdout, stderr } = await glovebox(["ask", file, "What is the average price?"], { env });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /1\.5/);
  assert.match(stderr, /\noffline · \d+ cells? · /);
});
