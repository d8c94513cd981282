import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, codeInterpreterTool, OpenAIResponsesModel, run, setTracingDisabled } from "@openai/agents";
import { toFile } from "openai";
import { startTestServer } from "../server/response-server.ts";
import { CSV, firstTurn, LINK, secondTurn } from "./the-task.ts";

const { client, script } = await startTestServer();
setTracingDisabled(true);

interface CodeCall {
  readonly type: string;
  readonly code: string;
  readonly container_id: string;
  readonly outputs: readonly { readonly type: string; readonly logs?: string; readonly url?: string }[];
}

/** What the run kept of the calls, as the server sent them. */
function codeCalls(items: readonly { rawItem?: unknown }[]): CodeCall[] {
  return items.flatMap(({ rawItem }) => {
    const call = rawItem as { type?: string; name?: string; providerData?: CodeCall };
    return call?.type === "hosted_tool_call" && call.providerData ? [call.providerData] : [];
  });
}

function citation(items: readonly { rawItem?: unknown }[]) {
  const texts = items.flatMap(({ rawItem }) => {
    const message = rawItem as { type?: string; content?: { providerData?: { annotations?: unknown[] } }[] };
    return message?.type === "message" ? (message.content ?? []) : [];
  });
  const [found] = texts.flatMap((part) => part.providerData?.annotations ?? []);
  return found as { container_id: string; file_id: string; filename: string };
}

test("the agents SDK asks, sees code, logs and an image, downloads what is cited and goes on", async () => {
  const file = await client.files.create({
    file: await toFile(Buffer.from(CSV), "sales.csv"),
    purpose: "user_data",
  });
  script(...firstTurn, ...secondTurn);
  const agent = new Agent({
    name: "analyst",
    instructions: "Compute.",
    model: new OpenAIResponsesModel(client as never, "any"),
    tools: [codeInterpreterTool({ container: { type: "auto", file_ids: [file.id] }, includeOutputs: true })],
  });
  const first = await run(agent, "What is the sum?");

  assert.ok(String(first.finalOutput).includes(LINK));
  const [call] = codeCalls(first.newItems);
  assert.ok(call);
  assert.match(call.code, /pd\.read_csv/);
  assert.deepEqual(call.outputs[0], { type: "logs", logs: "rows 2\n42" });
  assert.match(call.outputs[1]?.url ?? "", /^data:image\/png;base64,/);
  const cited = citation(first.newItems);
  assert.equal(cited.filename, "summary.csv");
  const content = await client.containers.files.content.retrieve(cited.file_id, {
    container_id: cited.container_id,
  });
  assert.match(await content.text(), /^,sales\ncount,2\.0\n/);

  const next = await run(agent, "Is it still there?", { previousResponseId: String(first.lastResponseId) });
  const [second] = codeCalls(next.newItems);
  assert.deepEqual(second?.outputs, [{ type: "logs", logs: "still here: 2" }]);
  assert.equal(second?.container_id, call.container_id);
});

test("the agents SDK streams, and goes on with the history that it keeps itself", async () => {
  script(...firstTurn, ...secondTurn);
  const file = await client.files.create({
    file: await toFile(Buffer.from(CSV), "sales.csv"),
    purpose: "user_data",
  });
  const agent = new Agent({
    name: "analyst",
    model: new OpenAIResponsesModel(client as never, "any"),
    tools: [codeInterpreterTool({ container: { type: "auto", file_ids: [file.id] }, includeOutputs: true })],
  });
  const first = await run(agent, "What is the sum?", { stream: true });
  for await (const _ of first) {
    // Read to its end.
  }
  await first.completed;
  const [call] = codeCalls(first.newItems);
  assert.deepEqual(call?.outputs[0], { type: "logs", logs: "rows 2\n42" });

  const next = await run(agent, [...first.history, { role: "user", content: "Is it still there?" }]);
  const [second] = codeCalls(next.newItems);
  assert.deepEqual(second?.outputs, [{ type: "logs", logs: "still here: 2" }]);
  assert.equal(second?.container_id, call?.container_id);
});
