import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { GloveboxError } from "../../src/errors.ts";
import { type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import { usageOf } from "../../src/protocol/usage.ts";
import { python, startTestServer } from "../server/response-server.ts";
import { openTestServer } from "../support/server.ts";
import { type Call, glovebox, jsonLines, type Outcome, temporaryFolder } from "./glovebox.ts";

// Longer than any test may take: what ends sooner was ended.
const server = await startTestServer({ config: { limits: { cellMs: 600_000 } } });
const KEY = "a-key-that-is-long-enough";

const plot = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])\nprint('drawn')\nx = 6 * 7\nx";
const cost = usageOf({ input: 1200, output: 34 });
const script: ScriptLine[] = [
  { ...(python(plot, { text: "I draw it." }) as object), usage: cost },
  {
    text: "It is **42**, see [the chart](sandbox:/mnt/data/figure-1-1.png).",
    usage: cost,
  },
];

type Asked = Outcome & { readonly home: string };

/** Asks with a home in which there is nothing: no environment, no sandbox. */
async function asked(args: string[], lines: readonly ScriptLine[] = script, call: Call = {}): Promise<Asked> {
  const home = await temporaryFolder();
  server.script(...lines);
  return { ...(await atHome(home, ["--server", server.url, ...args], call)), home };
}

function atHome(home: string, args: string[], call: Call = {}): Promise<Outcome> {
  return glovebox(["ask", ...args], { ...call, env: { GLOVEBOX_HOME: home, ...call.env } });
}

/** The files of the one container that a home has copies of. */
async function keptFiles(home: string): Promise<string> {
  const sessions = join(home, "remote", "sessions");
  const [container = ""] = await readdir(sessions);
  return join(sessions, container, "files");
}

test("a server's answer, its steps, cells and files look as those of a sandbox here", async () => {
  const { status, stdout, stderr, home } = await asked(["What is it?"]);
  const chart = join(await keptFiles(home), "figure-1-1.png");
  assert.deepEqual({ status, stdout }, { status: 0, stdout: `It is **42**, see [the chart](${chart}).\n` });
  assert.equal(
    stderr.replace(/\d+\.\d s/g, "0.0 s").replace(/\d+ KB/g, "1 KB"),
    [
      "I draw it.",
      "▸ import matplotlib.pyplot as plt",
      "    import matplotlib.pyplot as plt",
      "    _ = plt.plot([1, 2])",
      "    print('drawn')",
      "    x = 6 * 7",
      "    x",
      "  │ drawn",
      "  42",
      "✓ import matplotlib.pyplot as plt · 0.0 s",
      `  → ${chart} 1 KB`,
      "scripted · 1 cell · 0.0 s · 2,400 tokens in, 68 out",
      "",
    ].join("\n"),
  );
  assert.equal((await readFile(chart)).subarray(1, 4).toString(), "PNG");
  assert.deepEqual(await readdir(home), ["remote"]);
});

test("files and what is in folders are sent, and are there for the code", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "more"));
  for (const name of ["one.csv", "more/two.csv", "more/notes.bin"])
    await writeFile(join(folder, name), "a\n1\n");
  const lines = [python("import os\nsorted(os.listdir('/mnt/data'))"), "Two."];
  const { status, stdout, stderr } = await asked(
    [join(folder, "one.csv"), "How many?", join(folder, "more")],
    lines,
  );
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "Two.\n" });
  assert.match(stderr, /\n {2}\['one\.csv', 'two\.csv'\]\n/);
});

test("two files that would have one name on the server are refused before anything is sent", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "more"));
  for (const name of ["one.csv", "more/one.csv"]) await writeFile(join(folder, name), "a\n1\n");
  const { status, stderr } = await asked([folder, "How many?"]);
  assert.equal(status, 2);
  assert.match(stderr, /would both be \/mnt\/data\/one\.csv on the server; rename one of them\.\n$/);
});

test("--out gets what the cells make, and the answer's links lead there", async () => {
  const out = join(await temporaryFolder(), "results");
  const { status, stdout, stderr } = await asked(["What is it?", "--out", out, "--code", "hide"]);
  assert.equal(status, 0);
  assert.deepEqual(await readdir(out), ["figure-1-1.png"]);
  assert.match(stdout, new RegExp(`\\(${join(out, "figure-1-1.png")}\\)`));
  assert.doesNotMatch(stderr, /_ = plt/);
});

test("--json is the object that a sandbox here gives", async () => {
  const { status, stdout, stderr, home } = await asked(["What is it?", "--json"]);
  const [told] = jsonLines(stdout) as [
    Record<string, unknown> & { cells: { result: { duration_ms: number } }[] },
  ];
  const files = await keptFiles(home);
  const chart = join(files, "figure-1-1.png");
  const made = { path: "/mnt/data/figure-1-1.png", bytes: (await readFile(chart)).length };
  const duration_ms = told.cells[0]?.result.duration_ms;
  assert.deepEqual(
    { status, stderr, told },
    {
      status: 0,
      stderr: "",
      told: {
        answer: `It is **42**, see [the chart](${chart}).`,
        model: "scripted",
        cells: [
          {
            code: plot,
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
        usage: usageOf({ input: 2400, output: 68 }),
        session: files.split("/").at(-2),
      },
    },
  );
});

test("a cell that fails is shown with its traceback, and one that only prints with what it printed", async () => {
  const { status, stdout, stderr } = await asked(
    ["Try"],
    [python("print('before')\nraise ValueError('no such thing')"), python("print('again')"), "It failed."],
  );
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "It failed.\n" });
  assert.match(
    stderr,
    / {2}│ before\n {2}Traceback [\s\S]*\n {2}ValueError: no such thing\n✗ .* failed · ValueError/,
  );
  assert.match(stderr, /\n {2}│ again\n✓ /);
});

test("a table is shown as a table", async () => {
  const code = "import pandas as pd\npd.DataFrame({'region': ['North', 'West'], 'total': [3, 4]})";
  const { status, stderr } = await asked(["Show it"], [python(code), "There."]);
  assert.equal(status, 0);
  assert.match(stderr, /\n {2}region +total\n[\s\S]*North +3\n[\s\S]*West +4\n/);
});

test("--session goes on in the container of this id, with its variables", async () => {
  const first = await asked(["Keep it", "--json"], [python("kept = 'still here'"), "Kept."]);
  const [{ session = "" } = {}] = jsonLines(first.stdout) as [{ session?: string }];
  server.script(python("print(kept)"), "Still there.");
  const second = await atHome(first.home, [
    "--server",
    `${server.url}/v1/`,
    "--session",
    session,
    "And now?",
  ]);
  assert.deepEqual({ status: second.status, stdout: second.stdout }, { status: 0, stdout: "Still there.\n" });
  assert.match(second.stderr, /│ still here\n/);
});

test("a container that the server does not have is status 2, in the server's words", async () => {
  const { status, stdout, stderr } = await asked(["Go on", "--session", "cntr_1"]);
  assert.deepEqual(
    { status, stdout, stderr },
    { status: 2, stdout: "", stderr: "glovebox: Container with id 'cntr_1' not found.\n" },
  );
});

test("Ctrl-C ends the cell on the server, tells how to go on and leaves with 130", {
  timeout: 120_000,
}, async () => {
  const code = [
    "import time",
    "state = 'running'",
    "print('started', flush=True)",
    "try:",
    "    time.sleep(600)",
    "finally:",
    "    state = 'ended'",
  ].join("\n");
  const { status, stdout, stderr, home } = await asked(["Wait"], [python(code)], {
    onShown: { text: "│ started", on: "stderr", act: (kill) => kill("SIGINT") },
  });
  assert.deepEqual({ status, stdout }, { status: 130, stdout: "" });
  const [, session = ""] =
    /■ import time · stopped · [\s\S]*\nStopped\.\n[\s\S]*Session kept\. Continue: glovebox ask --server \S+ --session (\S+)\n$/.exec(
      stderr,
    ) ?? [];
  server.script(python("print(state)"), "Well.");
  const next = await atHome(home, ["--server", server.url, "--session", session, "How is it?"]);
  assert.match(next.stderr, /│ ended\n/);
});

test("--timeout ends the answer on the server and is status 124", { timeout: 120_000 }, async () => {
  const { status, stderr } = await asked(
    ["Wait", "--timeout", "3"],
    [python("import time\ntime.sleep(600)")],
  );
  assert.equal(status, 124);
  assert.match(stderr, /Stopped: the turn took longer than it may\./);
});

test("trouble of the server's model is told as if the model were asked from here", async () => {
  const line = { error: new GloveboxError("model-unreachable", "The model is not reached; start it.") };
  const people = await asked(["What?"], [line]);
  assert.deepEqual(
    { status: people.status, stdout: people.stdout, stderr: people.stderr },
    { status: 4, stdout: "", stderr: "glovebox: The model is not reached; start it.\n" },
  );
  const programs = await asked(["What?", "--json"], [line]);
  assert.deepEqual(
    { status: programs.status, told: jsonLines(programs.stdout) },
    {
      status: 4,
      told: [{ error: { code: "model-unreachable", message: "The model is not reached; start it." } }],
    },
  );
});

test("a server that nobody runs is status 4 and named", async () => {
  const { status, stderr } = await atHome(await temporaryFolder(), [
    "--server",
    "http://127.0.0.1:9",
    "What?",
  ]);
  assert.equal(status, 4);
  assert.match(
    stderr,
    /^glovebox: The server http:\/\/127\.0\.0\.1:9 is not reached \(.+\); check the address/,
  );
});

test("a server with keys takes the one of --api-key or GLOVEBOX_API_KEY, and without one says so", async () => {
  const model = scriptedModel(["By flag.", "By variable."]);
  const { url } = await openTestServer({ config: { apiKeys: [KEY] }, openModel: async () => model });
  const home = await temporaryFolder();
  const none = await atHome(home, ["--server", url, "Who?"], { env: { GLOVEBOX_API_KEY: undefined } });
  assert.deepEqual(
    { status: none.status, stderr: none.stderr },
    { status: 4, stderr: `glovebox: ${url} wants an API key; give it with --api-key or GLOVEBOX_API_KEY.\n` },
  );
  const wrong = await atHome(home, ["--server", url, "Who?", "--api-key", "another"]);
  assert.deepEqual(
    { status: wrong.status, stderr: wrong.stderr },
    {
      status: 4,
      stderr: `glovebox: ${url} does not take this API key; check --api-key or GLOVEBOX_API_KEY.\n`,
    },
  );
  const byFlag = await atHome(home, ["--server", url, "Who?", "--api-key", KEY]);
  const byVariable = await atHome(home, ["--server", url, "Who?"], { env: { GLOVEBOX_API_KEY: KEY } });
  assert.deepEqual([byFlag.stdout, byVariable.stdout], ["By flag.\n", "By variable.\n"]);
});

/** A server of another kind, and what it was asked. */
async function otherServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const http = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => {
      text += part.toString();
    });
    request.on("end", () => {
      if (text !== "") bodies.push(JSON.parse(text));
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  after(() => http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, bodies };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

test("an address at which there is something else is told so", async () => {
  const home = await temporaryFolder();
  const page = await otherServer((_, response) => void response.end("<html>Welcome</html>"));
  const missing = await otherServer((_, response) => void response.writeHead(404).end("<html>What?</html>"));
  const moved = await otherServer(
    (_, response) => void response.writeHead(301, { location: "https://example.org/" }).end(),
  );
  const why = ["it does not answer with JSON", "it answers 404", "it leads on to https://example.org/"];
  for (const [at, { url }] of [page, missing, moved].entries()) {
    const { status, stderr } = await atHome(home, ["--server", url, "What?"]);
    assert.deepEqual(
      { status, stderr },
      {
        status: 4,
        stderr: `glovebox: ${url} is no Glovebox server and no other that speaks OpenAI's API: ${why[at]}. Give --server the address that "glovebox serve" prints.\n`,
      },
    );
  }
});

test("model, effort, temperature and memory are passed on; a model that the server does not know is status 2", async () => {
  const removed: string[] = [];
  const { url, bodies } = await otherServer(({ url: path = "", method }, response) => {
    if (path === "/v1/containers") return sendJson(response, 200, { id: "cntr_1" });
    if (method === "DELETE") removed.push(path);
    if (method === "GET") return sendJson(response, 200, { data: [], has_more: false });
    sendJson(response, 404, {
      error: { message: "The model 'x/y' does not exist.", code: "model_not_found" },
    });
  });
  const flags = ["--model", "x/y", "--effort", "high", "--temperature", "0.5", "--memory", "2g"];
  const { status, stderr } = await atHome(await temporaryFolder(), ["--server", url, "What?", ...flags]);
  assert.deepEqual({ status, stderr }, { status: 2, stderr: "glovebox: The model 'x/y' does not exist.\n" });
  const [container, { instructions, ...request }] = bodies as [object, Record<string, unknown>];
  assert.match(String(instructions), /data analyst/);
  assert.deepEqual(
    { container, request, removed },
    {
      removed: ["/v1/containers/cntr_1"],
      container: { name: "glovebox ask", memory_limit: "4g" },
      request: {
        model: "x/y",
        input: "What?",
        tools: [{ type: "code_interpreter", container: "cntr_1" }],
        include: ["code_interpreter_call.outputs"],
        reasoning: { effort: "high" },
        temperature: 0.5,
        stream: true,
      },
    },
  );
});

test("a connection that ends before the answer is whole is status 4", async () => {
  const { url } = await otherServer(({ url: path, method }, response) => {
    if (path === "/v1/containers") return sendJson(response, 200, { id: "cntr_1" });
    if (method === "GET") return sendJson(response, 200, { data: [], has_more: false });
    const event = { type: "response.output_text.delta", item_id: "msg_1", delta: "The answer is" };
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(`data: ${JSON.stringify(event)}\n\n`);
  });
  const { status, stderr } = await atHome(await temporaryFolder(), ["--server", url, "What?"]);
  assert.equal(status, 4);
  assert.match(
    stderr,
    new RegExp(`${url} ended the connection before the answer was whole; ask again\\.\\n$`),
  );
});

test("a file with a name that leads elsewhere is not saved, and the answer is told all the same", async () => {
  const call = { id: "ci_1", type: "code_interpreter_call", code: "1", container_id: "cntr_1" };
  const said = { type: "message", content: [{ type: "output_text", text: "Done.", annotations: [] }] };
  const head = { id: "resp_1", status: "completed", model: "other" };
  const events = [
    { type: "response.created", response: { ...head, status: "in_progress" } },
    { type: "response.output_item.added", item: { ...call, status: "in_progress", outputs: null } },
    { type: "response.output_item.done", item: { ...call, status: "completed", outputs: [] } },
    { type: "response.output_item.done", item: said },
    { type: "response.completed", response: head },
  ];
  const files: object[] = [];
  const { url } = await otherServer(({ url: path = "", method }, response) => {
    if (path === "/v1/containers") return sendJson(response, 200, { id: "cntr_1" });
    if (path.endsWith("/content")) return void response.end("evil");
    if (method === "GET") return sendJson(response, 200, { data: files, has_more: false });
    files.push({ id: "cfile_1", path: "/mnt/data/../../../../evil", bytes: 4, source: "assistant" });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const home = await temporaryFolder();
  const { status, stdout, stderr } = await atHome(home, ["--server", url, "What?"]);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: "Done.\n" });
  assert.match(stderr, /\nglovebox: .*evil/);
  assert.deepEqual(await readdir(join(home, "remote", "sessions", "cntr_1", "files")), []);
});

test("flags that a server settles for itself are refused with the reason", async () => {
  const module = join(await temporaryFolder(), "tools.mjs");
  await writeFile(module, "");
  const refused = [
    [["--tools", module], "--tools does not go with --server: tools of your own run on the machine"],
    [["--base-url", "http://127.0.0.1:1"], "--base-url does not go with --server: the server knows"],
    [["--disk", "1g"], "--disk does not go with --server: the server says"],
    [["--continue"], "--continue does not go with --server: conversations with a server are not kept here"],
    [["--format", "csv"], "--format csv does not go with --server: the table stays there"],
    [["--memory", "65g"], "--memory is 65g; a server gives a container at most 64g."],
    [["--memory", "4g", "--session", "cntr_1"], "--memory does not go with --session"],
    [
      ["--server", "localhost:8080"],
      '--server is "localhost:8080"; give the address that "glovebox serve" prints',
    ],
    [["--server", "http://me:secret@localhost"], "--server has a user or password in its address"],
  ] as const;
  for (const [flags, why] of refused) {
    const { status, stderr } = await atHome("/nonexistent", ["--server", server.url, "What?", ...flags]);
    assert.equal(status, 2);
    assert.ok(stderr.startsWith(`glovebox: ${why}`), stderr);
  }
  const { status, stderr } = await atHome("/nonexistent", ["What?", "--api-key", KEY]);
  assert.deepEqual(
    { status, stderr },
    { status: 2, stderr: "glovebox: --api-key is the key of a server; name that with --server URL.\n" },
  );
});
