import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, streamText, tool, uploadFile } from "ai";
import { z } from "zod";
import { startTestServer } from "../server/response-server.ts";
import { CSV, firstTurn, LINK, secondTurn } from "./the-task.ts";

const { client, script, url } = await startTestServer();
const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none" });

async function uploadedCsv(): Promise<string> {
  const { providerReference } = await uploadFile({
    api: openai.files(),
    data: Buffer.from(CSV),
    mediaType: "text/csv",
    filename: "sales.csv",
  });
  return String(providerReference.openai);
}

function codeResults(parts: readonly { type: string }[]) {
  return parts.filter((part) => part.type === "tool-result") as unknown as {
    toolName: string;
    input: { code: string; containerId: string };
    output: { outputs: ({ type: "logs"; logs: string } | { type: "image"; url: string })[] };
  }[];
}

function citedFile(sources: readonly unknown[]) {
  const [source] = sources as { filename?: string; providerMetadata?: { openai?: Record<string, string> } }[];
  return {
    name: source?.filename,
    container: source?.providerMetadata?.openai?.containerId ?? "",
    file: source?.providerMetadata?.openai?.fileId ?? "",
  };
}

test("the AI SDK uploads, asks, sees code, logs and an image, downloads what is cited and goes on", async () => {
  const fileId = await uploadedCsv();
  script(...firstTurn, ...secondTurn);
  const model = openai.responses("any");
  const first = await generateText({
    model,
    prompt: "What is the sum?",
    tools: { code_interpreter: openai.tools.codeInterpreter({ container: { fileIds: [fileId] } }) },
  });

  const [result] = codeResults(first.content);
  assert.ok(result);
  assert.match(result.input.code, /pd\.read_csv/);
  assert.deepEqual(result.output.outputs[0], { type: "logs", logs: "rows 2\n42" });
  const image = result.output.outputs[1];
  assert.match(image?.type === "image" ? image.url : "", /^data:image\/png;base64,/);
  assert.ok(first.text.includes(LINK));

  const cited = citedFile(first.sources);
  assert.equal(cited.name, "summary.csv");
  const content = await client.containers.files.content.retrieve(cited.file, {
    container_id: cited.container,
  });
  assert.match(await content.text(), /^,sales\ncount,2\.0\n/);

  const next = await generateText({
    model,
    prompt: "Is it still there?",
    tools: { code_interpreter: openai.tools.codeInterpreter({}) },
    providerOptions: { openai: { previousResponseId: String(first.providerMetadata?.openai?.responseId) } },
  });
  const [second] = codeResults(next.content);
  assert.deepEqual(second?.output.outputs, [{ type: "logs", logs: "still here: 2" }]);
  assert.equal(second?.input.containerId, result.input.containerId);
});

test("the AI SDK streams the same, and goes on with the messages that it keeps itself", async () => {
  const fileId = await uploadedCsv();
  script(...firstTurn, ...secondTurn);
  const model = openai.responses("any");
  const tools = { code_interpreter: openai.tools.codeInterpreter({ container: { fileIds: [fileId] } }) };
  const errors: unknown[] = [];
  const first = streamText({
    model,
    prompt: "What is the sum?",
    tools,
    onError: ({ error }) => errors.push(error),
  });
  let text = "";
  for await (const delta of first.textStream) text += delta;
  assert.deepEqual(errors, []);
  assert.equal(text, "The sum is 42, see [summary.csv](sandbox:/mnt/data/summary.csv).");
  const [result] = codeResults(await first.content);
  assert.deepEqual(result?.output.outputs[0], { type: "logs", logs: "rows 2\n42" });
  assert.equal(citedFile(await first.sources).name, "summary.csv");

  const { messages } = await first.response;
  const next = await generateText({
    model,
    messages: [
      { role: "user", content: "What is the sum?" },
      ...messages,
      { role: "user", content: "Is it still there?" },
    ],
    tools,
  });
  const [second] = codeResults(next.content);
  assert.deepEqual(second?.output.outputs, [{ type: "logs", logs: "still here: 2" }]);
  assert.equal(second?.input.containerId, result?.input.containerId);
});

test("the AI SDK's chat model is answered too, with tools of the client's own", async () => {
  script({ text: "I look.", calls: [{ name: "weather", arguments: { city: "Rome" } }] }, "Sunny in Rome.");
  const weather = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sun over ${city}`,
  });
  const errors: unknown[] = [];
  const answer = streamText({
    model: openai.chat("any"),
    prompt: "Weather?",
    tools: { weather },
    stopWhen: stepCountIs(3),
    onError: ({ error }) => errors.push(error),
  });
  let text = "";
  for await (const delta of answer.textStream) text += delta;
  assert.deepEqual(errors, []);
  assert.equal(text, "I look.Sunny in Rome.");
});
