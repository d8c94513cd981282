import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { toFile } from "openai";
import { GloveboxError } from "../../src/errors.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { failureOf, openTestServer } from "../support/server.ts";

const said: string[] = [];
const server = await openTestServer({
  openModel: async () => {
    const error = new GloveboxError("model-refused", said.at(-1) ?? "");
    return scriptedModel([said.length > 0 ? { error } : "Hello."]);
  },
});

interface ErrorBody {
  readonly error: { message: string; type: string; param: string | null; code: string | null };
}

async function refusal(path: string, body: string): Promise<[status: number, error: ErrorBody["error"]]> {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return [answer.status, ((await answer.json()) as ErrorBody).error];
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const zeros = (count: number) => `[${Array(count).fill("0").join(",")}]`;

test("JSON that is nested too deep is refused, whichever field it is in", async () => {
  const tool = `{"type":"function","name":"f","parameters":${nested(100_000)}}`;
  const schema = `{"type":"json_schema","name":"s","schema":${nested(100_000)}}`;
  for (const body of [`{"input":"x","tools":[${tool}]}`, `{"input":"x","text":{"format":${schema}}}`]) {
    assert.deepEqual(await refusal("/responses", body), [
      400,
      {
        message: "The JSON body of your request is not taken: it is nested more than 256 deep.",
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    ]);
  }
});

test("a body of very many values is refused before they are made", async () => {
  const [status, { message }] = await refusal("/responses", `{"input":"x","include":${zeros(300_000)}}`);
  assert.deepEqual(
    [status, message],
    [400, "The JSON body of your request is not taken: it has more than 250000 values."],
  );
});

test("lists that nobody needs as long are refused for their length, not value by value", async () => {
  const long = zeros(20_000);
  const found = [
    await refusal("/responses", `{"input":"x","include":${long}}`),
    await refusal("/responses", `{"input":[{"role":"user","content":${long}}]}`),
    await refusal("/chat/completions", `{"messages":${long}}`),
  ];
  assert.deepEqual(
    found.map(([status, { param, message }]) => [status, param, /Too big/.test(message)]),
    [
      [400, "include", true],
      [400, "input[0].content", true],
      [400, "messages", true],
    ],
  );
});

test("brackets, commas and quotes inside of texts count for nothing", async () => {
  const input = `${"[{,".repeat(100_000)}\\"${"\\\\".repeat(7)}`;
  const answer = await server.client().responses.create({ model: "any", input });
  assert.equal(answer.output_text, "Hello.");
});

test("a kind that is not offered is refused by its name, with those that are", async () => {
  const post = async (path: string, body: object) => {
    const [status, { message, param }] = await refusal(path, JSON.stringify(body));
    return [status, param, message];
  };
  assert.deepEqual(await post("/responses", { input: "x", tools: [{ type: "web_search" }] }), [
    400,
    "tools[0].type",
    "Invalid value: 'web_search' for 'tools[0].type'. Supported values are: 'function', 'code_interpreter'.",
  ]);
  assert.deepEqual(await post("/responses", { input: "x", tools: [{ name: "f" }] }), [
    400,
    "tools[0].type",
    "Missing required parameter: 'tools[0].type'.",
  ]);
  assert.deepEqual(await post("/responses", { input: "x", tool_choice: "any" }), [
    400,
    "tool_choice",
    "Invalid value: 'any' for 'tool_choice'. Supported values are: 'none', 'auto', 'required'.",
  ]);
  assert.deepEqual(
    await post("/responses", { input: [{ role: "user", content: [{ type: "input_audio" }] }] }),
    [
      400,
      "input[0].content[0].type",
      "Invalid value: 'input_audio' for 'input[0].content[0].type'. Supported values are: 'input_text', 'input_image', 'input_file', 'output_text', 'refusal'.",
    ],
  );
  assert.deepEqual(await post("/responses", { input: 5 }), [
    400,
    "input",
    "Invalid type for 'input': expected a string or an array, but got an integer instead.",
  ]);
  assert.deepEqual(await post("/chat/completions", { messages: [{ role: "robot", content: "x" }] }), [
    400,
    "messages[0].role",
    "Invalid value: 'robot' for 'messages[0].role'. Supported values are: 'system', 'developer', 'user', 'assistant', 'tool'.",
  ]);
});

test("a number in a query that is none is called so", async () => {
  const answer = await fetch(`${server.url}/v1/files?limit=many`);
  const { error } = (await answer.json()) as ErrorBody;
  assert.equal(
    error.message,
    "Invalid type for 'limit': expected a number, but got something that is no number instead.",
  );
});

test("what was sent is not repeated at any length", async () => {
  const id = "z".repeat(1_000_000);
  for (const asked of [{ previous_response_id: id }, { conversation: id }]) {
    const [, { message }] = await refusal("/responses", JSON.stringify({ input: "x", ...asked }));
    assert.equal(message.length, 2001);
  }
});

test("a file's name that no download could carry is refused, and one that can comes back as it was", async () => {
  const client = server.client();
  const upload = async (name: string) =>
    client.files.create({ file: await toFile(Buffer.from("x"), name), purpose: "user_data" });
  const { status, error } = await failureOf(upload(`${"é".repeat(5_000)}.csv`));
  assert.deepEqual([status, (error as { param: string }).param], [400, "file"]);
  const name = `${"é".repeat(120)}.csv`;
  const { id, filename } = await upload(name);
  const content = await client.files.content(id);
  assert.deepEqual(
    [filename, content.headers.get("content-disposition")],
    [name, `attachment; filename*=UTF-8''${encodeURIComponent(name)}`],
  );
});

test("a file's name with control characters is refused, to /v1/files and to a container", async () => {
  const { id } = await server.client().containers.create({ name: "names" });
  const head = "content-disposition: form-data; name=\"file\"; filename*=UTF-8''a%0D%0Ab.csv";
  const purpose = '--B\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n';
  for (const path of ["/files", `/containers/${id}/files`]) {
    const answer = await fetch(`${server.url}/v1${path}`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=B" },
      body: `${purpose}--B\r\n${head}\r\n\r\nx\r\n--B--\r\n`,
    });
    const { error } = (await answer.json()) as ErrorBody;
    assert.deepEqual(
      [answer.status, error.message],
      [400, "The file's name has control characters in it; give it another one."],
    );
  }
});

test("a form of very many fields is told so", async () => {
  const form = new FormData();
  for (let field = 0; field < 1000; field++) form.append(`field${field}`, "x");
  form.append("purpose", "user_data");
  form.append("file", new File(["x"], "x.txt"));
  const answer = await fetch(`${server.url}/v1/files`, { method: "POST", body: form });
  const { error } = (await answer.json()) as ErrorBody;
  assert.deepEqual(
    [answer.status, error.message],
    [400, "The body is not a complete multipart form: it has more than 20 fields."],
  );
});

test("a health check in HTTP/1.0, which names no host, is answered", async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /healthz HTTP/1.0\r\n\r\n");
  assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"ok"\}$/);
});

test("an input that is too long for its model is OpenAI's error, at once and in a stream", async (t) => {
  t.after(() => said.splice(0));
  const words = [
    "openai answered 400: This model's maximum context length is 8192 tokens. However, you requested 9000.",
    "anthropic answered 400: prompt is too long: 203456 tokens > 200000 maximum.",
    "google answered 400: The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "llamacpp answered 400: the request exceeds the available context size, try increasing it.",
  ];
  for (const message of words) {
    said.push(message);
    assert.deepEqual(await refusal("/responses", JSON.stringify({ input: "x" })), [
      400,
      { message, type: "invalid_request_error", param: "input", code: "context_length_exceeded" },
    ]);
  }
  const stream = await fetch(`${server.url}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: "x", stream: true }),
  });
  const codes = (await stream.text()).match(/"code":"\w+"/g);
  assert.deepEqual(codes, ['"code":"context_length_exceeded"', '"code":"context_length_exceeded"']);
  said.push("openai answered 401: Incorrect API key provided.");
  assert.equal((await refusal("/responses", JSON.stringify({ input: "x" })))[0], 502);
});
