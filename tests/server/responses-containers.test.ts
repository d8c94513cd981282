import assert from "node:assert/strict";
import { test } from "node:test";
import { codeInterpreter, python, startTestServer } from "./response-server.ts";

const MINUTE_MS = 60_000;
let nowMs = Date.now();
const { client, script, server, post } = await startTestServer({ now: () => nowMs });
const include = ["code_interpreter_call.outputs" as const];

interface Call {
  readonly container_id: string;
  readonly outputs: { type: string; logs?: string }[];
}

async function run(tools: object[], body: object = {}): Promise<Call & { id: string; text: string }> {
  const response = await client.responses.create({
    model: "any",
    input: "go",
    tools: tools as never,
    include,
    ...body,
  });
  const call = response.output.find((item) => item.type === "code_interpreter_call") as unknown as Call;
  return { ...call, id: response.id, text: response.output_text };
}

async function containerCount(): Promise<number> {
  return (await Array.fromAsync(client.containers.list({ limit: 100 }))).length;
}

test("no container is made while no code runs", async () => {
  const before = await containerCount();
  script("Nothing to compute.");
  await client.responses.create({ model: "any", input: "hi", tools: [codeInterpreter] });
  assert.equal(await containerCount(), before);
});

test("a container of the client's own is used, with the memory that it asked for", async () => {
  const container = await client.containers.create({ name: "mine", memory_limit: "4g" });
  script(python("1"), "One.");
  const call = await run([{ type: "code_interpreter", container: container.id }]);
  assert.equal(call.container_id, container.id);
});

test("a traceback and what was printed before it are kept in the logs", async () => {
  script(python("print('before')\n1 / 0"), "It failed.");
  const { outputs } = await run([codeInterpreter]);
  assert.match(outputs[0]?.logs ?? "", /^before\nTraceback.*ZeroDivisionError: division by zero$/s);
});

test("files and pictures of the input are in the session, also those sent as data", async () => {
  const data = Buffer.from("a,b\n1,2\n").toString("base64");
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const model = script(python("import os\nsorted(os.listdir('/mnt/data'))"), "Seen.");
  const { outputs } = await run([codeInterpreter], {
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look." },
          { type: "input_file", filename: "small.csv", file_data: `data:text/csv;base64,${data}` },
          { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "auto" },
        ],
      },
    ],
  });
  assert.match(outputs[0]?.logs ?? "", /^\['image-[0-9a-f]{12}\.png', 'small\.csv'\]$/);
  const [message] = model.requests[0]?.input ?? [];
  const parts = message?.type === "message" ? message.content : "";
  assert.deepEqual(Array.isArray(parts) && parts.map(({ type }) => type), [
    "input_text",
    "input_text",
    "input_image",
    "input_text",
  ]);
  assert.match(JSON.stringify(parts), /A file of 8 bytes is in the session: .{0,4}\/mnt\/data\/small\.csv/);
});

test("files that every response of a chain names are given once; what code made of them stays", async () => {
  const upload = (content: string) =>
    client.files.create({ file: new File([content], "same.csv"), purpose: "user_data" });
  const [a, b] = [await upload("a"), await upload("b")];
  const tools = [{ type: "code_interpreter", container: { type: "auto", file_ids: [a.id, b.id] } }];
  const told = 'Files there now: "/mnt/data/same-2.csv", "/mnt/data/same.csv".';
  const show = "print(open('same.csv').read(), open('same-2.csv').read())";
  const model = script(
    python(`${show}\nprint('changed', file=open('same.csv', 'w'), end='')`),
    "Changed.",
    python(show),
    "Seen.",
  );
  const first = await run(tools);
  const second = await run(tools, { previous_response_id: first.id });
  assert.deepEqual(
    [first.outputs, second.outputs],
    [[{ type: "logs", logs: "a b" }], [{ type: "logs", logs: "changed b" }]],
  );
  assert.deepEqual(
    model.requests.map(({ instructions }) => instructions?.includes(told)),
    [true, true, true, true],
  );
});

test("a file that a later response names newly takes the place of the one of its name", async () => {
  const upload = (content: string) =>
    client.files.create({ file: new File([content], "sales.csv"), purpose: "user_data" });
  const [old, fresh] = [await upload("old"), await upload("new")];
  const tools = (id: string) => [{ type: "code_interpreter", container: { type: "auto", file_ids: [id] } }];
  const show = "print(open('sales.csv').read())";
  script(python(show), "Old.", python(show), "New.");
  const first = await run(tools(old.id));
  const second = await run(tools(fresh.id), { previous_response_id: first.id });
  assert.deepEqual(
    [first.outputs[0]?.logs, second.outputs[0]?.logs, second.container_id],
    ["old", "new", first.container_id],
  );
});

test("without the tool, a text file of the input is shown to the model itself", async () => {
  const data = Buffer.from("a,b\n1,2\n").toString("base64");
  const model = script("Seen.");
  await client.responses.create({
    model: "any",
    input: [
      {
        role: "user",
        content: [{ type: "input_file", filename: "small.csv", file_data: `data:text/csv;base64,${data}` }],
      },
    ],
  });
  assert.match(JSON.stringify(model.requests[0]?.input), /a,b\\n1,2/);
});

test("an expired container goes on: the same id, its files, and a line in the logs about the variables", async () => {
  script(python("x = 5\nopen('kept.txt', 'w').write('kept')"), "Made.");
  const first = await run([codeInterpreter]);
  nowMs += 30 * MINUTE_MS;
  await server.sweep();
  const model = script(python("print(open('kept.txt').read())\n'x' in globals()"), "Gone.");
  const second = await run([codeInterpreter], { previous_response_id: first.id });
  assert.equal(second.container_id, first.container_id);
  const [revival, ...lines] = (second.outputs[0]?.logs ?? "").split("\n");
  assert.match(revival ?? "", /variables/);
  assert.deepEqual(lines, ["kept", "False"]);
  assert.match(JSON.stringify(model.requests[1]?.input.at(-1)), /variables/);
});

test("where the configuration says so, an expired container is OpenAI's error", async () => {
  let clockMs = Date.now();
  const strict = await startTestServer({ config: { containerExpired: "error" }, now: () => clockMs });
  strict.script(python("x = 5"), "Made.");
  const first = await strict.client.responses.create({ model: "any", input: "go", tools: [codeInterpreter] });
  clockMs += 30 * MINUTE_MS;
  await strict.server.sweep();
  const answer = await strict.post("/responses", {
    input: "again",
    previous_response_id: first.id,
    tools: [codeInterpreter],
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(await answer.json(), {
    error: { message: "Container is expired.", type: "invalid_request_error", param: null, code: null },
  });
});

test("a container that was deleted is followed by a new one", async () => {
  script(python("1"), "One.");
  const first = await run([codeInterpreter]);
  await client.containers.delete(first.container_id);
  script(python("2"), "Two.");
  const second = await run([codeInterpreter], { previous_response_id: first.id });
  assert.notEqual(second.container_id, first.container_id);
});

test("a container of nobody is 404", async () => {
  const answer = await post("/responses", {
    input: "go",
    tools: [{ type: "code_interpreter", container: "cntr_nobody" }],
  });
  assert.equal(answer.status, 404);
});
