import assert from "node:assert/strict";
import { test } from "node:test";
import { toFile } from "openai";
import type { ResponseCodeInterpreterToolCall } from "openai/resources/responses/responses";
import { GloveboxError } from "../../src/errors.ts";
import { codeInterpreter, startTestServer } from "../server/response-server.ts";
import { CSV, firstTurn, LINK, secondTurn } from "./the-task.ts";

const { client, script } = await startTestServer();

function codeCalls(output: readonly { type: string }[]): ResponseCodeInterpreterToolCall[] {
  return output.filter((item) => item.type === "code_interpreter_call") as ResponseCodeInterpreterToolCall[];
}

test("the openai package uploads, asks, sees code, logs and an image, downloads what is cited and goes on", async () => {
  const file = await client.files.create({
    file: await toFile(Buffer.from(CSV), "sales.csv"),
    purpose: "user_data",
  });
  script(...firstTurn, ...secondTurn);
  const response = await client.responses.create({
    model: "any",
    input: "What is the sum?",
    tools: [{ type: "code_interpreter", container: { type: "auto", file_ids: [file.id] } }],
    include: ["code_interpreter_call.outputs"],
  });

  assert.equal(response.status, "completed");
  const [call] = codeCalls(response.output);
  assert.ok(call);
  assert.match(call.code ?? "", /pd\.read_csv/);
  const [logs, image, ...rest] = call.outputs ?? [];
  assert.deepEqual(logs, { type: "logs", logs: "rows 2\n42" });
  assert.match(image?.type === "image" ? image.url : "", /^data:image\/png;base64,iVBORw0KGgo/);
  assert.deepEqual(rest, []);

  const text = response.output_text;
  const message = response.output.find((item) => item.type === "message");
  const [part] = message?.type === "message" ? message.content : [];
  const [citation] = part?.type === "output_text" ? part.annotations : [];
  assert.ok(citation?.type === "container_file_citation");
  assert.equal(text.slice(citation.start_index, citation.end_index), LINK);
  const content = await client.containers.files.content.retrieve(citation.file_id, {
    container_id: citation.container_id,
  });
  assert.match(await content.text(), /^,sales\ncount,2\.0\n/);

  const next = await client.responses.create({
    model: "any",
    input: "Is it still there?",
    previous_response_id: response.id,
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
  });
  const [second] = codeCalls(next.output);
  assert.deepEqual(second?.outputs, [{ type: "logs", logs: "still here: 2" }]);
  assert.equal(second?.container_id, call.container_id);
});

test("responses.stream() of the openai package accepts every event and ends with the same response", async () => {
  const file = await client.files.create({
    file: await toFile(Buffer.from(CSV), "sales.csv"),
    purpose: "user_data",
  });
  script(...firstTurn, ...secondTurn);
  const stream = client.responses.stream({
    model: "any",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is the sum?" },
          { type: "input_file", file_id: file.id },
        ],
      },
    ],
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
  });
  let code = "";
  stream.on("response.code_interpreter_call_code.delta", ({ delta }) => {
    code += delta;
  });
  const final = await stream.finalResponse();
  const [call] = codeCalls(final.output);
  assert.equal(code, call?.code);
  assert.equal(call?.outputs?.length, 2);
  assert.equal(final.output_text, "The sum is 42, see [summary.csv](sandbox:/mnt/data/summary.csv).");
  const stored = await client.responses.retrieve(final.id, { include: ["code_interpreter_call.outputs"] });
  assert.deepEqual(codeCalls(stored.output), codeCalls(final.output));
  assert.equal(stored.output_text, final.output_text);

  const next = client.responses.stream({
    model: "any",
    input: "Is it still there?",
    previous_response_id: final.id,
    tools: [codeInterpreter],
    include: ["code_interpreter_call.outputs"],
  });
  const [second] = codeCalls((await next.finalResponse()).output);
  assert.deepEqual(second?.outputs, [{ type: "logs", logs: "still here: 2" }]);
});

test("the openai package calls functions of the client's own beside code", async () => {
  script(
    {
      calls: [
        { name: "python_repl", arguments: { code: "6 * 7" } },
        { name: "send_mail", arguments: { to: "ann" }, callId: "call_mail" },
      ],
    },
    (request) => `I was told: ${JSON.stringify(request.input.at(-1))}`,
  );
  const tools = [
    codeInterpreter,
    {
      type: "function" as const,
      name: "send_mail",
      description: "Sends a mail.",
      parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      strict: false,
    },
  ];
  const stream = client.responses.stream({ model: "any", input: "Compute and send.", tools });
  const first = await stream.finalResponse();
  assert.deepEqual(
    first.output.map((item) => item.type),
    ["code_interpreter_call", "function_call"],
  );
  const call = first.output.find((item) => item.type === "function_call");
  assert.ok(call?.type === "function_call");
  assert.deepEqual([call.call_id, call.name, call.arguments], ["call_mail", "send_mail", '{"to":"ann"}']);
  const second = await client.responses.create({
    model: "any",
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: call.call_id, output: "sent" }],
    tools,
  });
  assert.match(second.output_text, /"call_id":"call_mail","output":"sent"/);
});

test("a model that fails in the middle is an error of the openai package that says what it was", async () => {
  script({
    text: "Half",
    error: new GloveboxError("model-unreachable", "The provider broke off; ask again."),
  });
  const stream = client.responses.stream({ model: "any", input: "go" });
  await assert.rejects(stream.finalResponse(), /The provider broke off; ask again\./);
  script({
    text: "Half",
    error: new GloveboxError("model-unreachable", "The provider broke off; ask again."),
  });
  await assert.rejects(client.responses.create({ model: "any", input: "go" }), {
    status: 502,
    code: "model_unreachable",
  });
});
