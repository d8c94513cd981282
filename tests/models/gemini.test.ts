import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, dataEvents } from "../support/wire-server.ts";
import { answered, gemini, stored } from "./ai-sdk-wire.ts";
import { asking, collect, failing, finishIn, itemsIn, pythonTool } from "./collect.ts";

const part = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
  usageMetadata: {
    promptTokenCount: 30,
    candidatesTokenCount: 9,
    thoughtsTokenCount: 5,
    totalTokenCount: 44,
  },
  modelVersion: "gemini-3-pro-preview",
  responseId: "r-1",
});
const gemini0 = (...events: object[]): Answer => ({ pieces: dataEvents(...events).slice(0, -1) });

test("Gemini gets the signatures of its thoughts, calls and words back", async () => {
  const { server, model } = await gemini();
  server.answer(
    gemini0(
      part([{ text: "Six sevens.", thought: true }]),
      part([{ text: "Running.", thoughtSignature: "sig-text" }]),
      part([{ functionCall: { name: "python_repl", args: { code: "6*7" } }, thoughtSignature: "sig-call" }]),
      part([{ functionCall: { name: "python_repl", args: { code: "1" } } }], { finishReason: "STOP" }),
    ),
    gemini0(part([{ text: "42" }], { finishReason: "STOP" })),
  );
  const events = await collect(model, asking({ tools: [pythonTool] }));
  const finish = finishIn(events);
  assert.deepEqual(finish, {
    type: "finish",
    reason: "tool-calls",
    usage: {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 14,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 44,
    },
  });
  const kept = stored(answered(itemsIn(events)));
  await collect(model, asking({ input: kept, tools: [pythonTool] }));
  const [, second] = server.requests;
  assert.equal(second?.path, "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse");
  assert.equal(second?.headers["x-goog-api-key"], "k-secret-1234");
  const { contents, systemInstruction } = server.body() as {
    contents: { role: string; parts: Record<string, unknown>[] }[];
    systemInstruction: unknown;
  };
  assert.deepEqual(systemInstruction, { parts: [{ text: "Be brief." }] });
  const withoutIds = (contents[1]?.parts ?? []).map(({ functionCall, ...rest }) => {
    const { id: _, ...call } = (functionCall ?? {}) as { id?: string };
    return functionCall ? { ...rest, functionCall: call } : rest;
  });
  assert.deepEqual(withoutIds, [
    { text: "Six sevens.", thought: true },
    { text: "Running.", thoughtSignature: "sig-text" },
    { functionCall: { name: "python_repl", args: { code: "6*7" } }, thoughtSignature: "sig-call" },
    { functionCall: { name: "python_repl", args: { code: "1" } } },
  ]);
  assert.equal(contents[2]?.parts.length, 2);
});

test("Gemini's safety stop is a content filter, and its errors are told", async () => {
  const { server, model } = await gemini();
  server.answer(gemini0(part([{ text: "4" }], { finishReason: "SAFETY" })), {
    status: 404,
    json: { error: { code: 404, message: "models/gemini-9 is not found", status: "NOT_FOUND" } },
  });
  const finish = finishIn(await collect(model));
  assert.equal(finish?.type === "finish" && finish.reason, "content-filter");
  const { code, message } = await failing(model);
  assert.equal(code, "model-refused");
  assert.match(message, /^google answered 404: models\/gemini-9 is not found\. Check the model's name/);
});

test("a provider of the AI SDK that is not there is tried again, then said to be so", async () => {
  const { server, model } = await gemini();
  await server[Symbol.asyncDispose]();
  const { code, message } = await failing(model);
  assert.equal(code, "model-unreachable");
  assert.match(
    message,
    /^Cannot reach google at http.*\(ECONNREFUSED, 4 tries\); check the network, or say where it is/,
  );
});
