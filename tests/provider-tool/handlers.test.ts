import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { GloveboxError } from "../../src/errors.ts";
import { Conversation } from "../../src/history/conversation.ts";
import { Item } from "../../src/protocol/items.ts";
import type { CodeRun } from "../../src/tools/openai-code-interpreter/code-run.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import { type ProviderTool, settleProviderCalls } from "../../src/tools/provider-tool.ts";
import { type ToolContext, type ToolEvent, tool } from "../../src/tools/tool.ts";
import { openTestBox } from "../support/box.ts";
import { startOpenAIServer } from "./openai-server.ts";
import { codeCall, message, response } from "./recorded.ts";

const server = await startOpenAIServer();
const box = await openTestBox();
const session = await box.session();

function contextOf(
  callId: string,
  events: ToolEvent[] = [],
  signal = new AbortController().signal,
): ToolContext {
  return {
    callId,
    session,
    conversation: new Conversation(),
    model: { name: "openai/gpt-5.1", provider: "openai" },
    deadline: undefined,
    signal,
    emit: (event) => events.push(event),
    prompt: { agent: "analyst", turn: "turn_1", step: 1 },
  };
}

const step = [codeCall({ id: "ci_1", code: "1" }), codeCall({ id: "ci_2", code: "2" }), message("done")].map(
  (item) => Item.parse(item),
);

test("a handler gets each typed value with its context, in the order of the calls", async () => {
  const seen: [string, ToolContext][] = [];
  const handled = new OpenAICodeInterpreterTool({
    container: { type: "auto" },
    async handleProviderOutput(run, context) {
      seen.push([run.code, context]);
      return { message: `handled ${run.code}`, value: { ...run, stdout: "" }, success: true };
    },
  });
  const contexts = new Map(["ci_1", "ci_2"].map((id) => [id, contextOf(id)]));
  const settled = await settleProviderCalls({
    tools: [handled],
    items: step,
    contextFor: (id) => contexts.get(id) as ToolContext,
  });
  assert.deepEqual(
    seen.map(([code]) => code),
    ["1", "2"],
  );
  assert.equal(seen[0]?.[1], contexts.get("ci_1"));
  assert.equal(seen[1]?.[1], contexts.get("ci_2"));
  assert.deepEqual(
    settled.map(({ call, result }) => [call.callId, result.message, (result.value as CodeRun).stdout]),
    [
      ["ci_1", "handled 1", ""],
      ["ci_2", "handled 2", ""],
    ],
  );
});

test("a blocking run gives its context to the handler", async () => {
  const context = contextOf("ci_1");
  const seen: ToolContext[] = [];
  const handled = new OpenAICodeInterpreterTool({
    container: { type: "auto" },
    handleProviderOutput(run, given) {
      seen.push(given);
      return { message: "mine", value: run, success: false };
    },
  });
  server.answerWith(response([codeCall({}), message("ok")]));
  const asked = { tool: handled, client: server.client(), model: "gpt-5.1", input: "Go." };
  const run = await runHosted({ ...asked, context });
  assert.deepEqual(
    run.toolResults.map((result) => [result.message, result.success]),
    [["mine", false]],
  );
  assert.equal(seen[0], context);
  server.requests.length = 0;
  await assert.rejects(runHosted(asked), { code: "usage", message: /needs a context/ });
  assert.deepEqual(server.requests, []);
});

test("without a handler the printed text is the result", async () => {
  const plain = new OpenAICodeInterpreterTool({ container: { type: "auto" } });
  const events: ToolEvent[] = [];
  const settled = await settleProviderCalls({
    tools: [plain],
    items: step,
    contextFor: (id) => contextOf(id, events),
  });
  assert.deepEqual(
    settled.map(({ result }) => [result.message, result.success]),
    [
      ["42", true],
      ["42", true],
    ],
  );
  assert.deepEqual(events, [
    { type: "tool-start", callId: "ci_1", tool: "openai_python", code: "1" },
    { type: "tool-start", callId: "ci_2", tool: "openai_python", code: "2" },
  ]);
});

const Payload = z.object({ code: z.string(), container_id: z.string() });

function ownTool(handler?: ProviderTool["handleProviderOutput"]): { own: ProviderTool; order: string[] } {
  const order: string[] = [];
  const own: ProviderTool = {
    name: "own_python",
    description: "Another provider tool.",
    parameters: Payload,
    provider: "openai",
    config: {},
    hosted: () => ({ type: "code_interpreter", container: { type: "auto" } }),
    readProviderOutput: (items) =>
      items.flatMap((item) =>
        item.type === "code_interpreter_call" ? [{ callId: item.id, payload: item, value: item.code }] : [],
      ),
    async run(parameters, context) {
      const { code } = Payload.parse(parameters);
      order.push(`run ${code} in ${context.callId}`);
      return { message: "ran", value: code, success: true };
    },
    ...(handler
      ? {
          handleProviderOutput: (value: unknown, context: ToolContext) => {
            order.push(`handle ${value} in ${context.callId}`);
            return handler(value, context);
          },
        }
      : {}),
  };
  return { own, order };
}

test("a tool's handler comes first, and `run` with the payload where there is none", async () => {
  const handling = ownTool(async (value) => ({ message: "handled", value, success: true }));
  const running = ownTool();
  for (const { own } of [handling, running]) {
    await settleProviderCalls({ tools: [own], items: step, contextFor: (id) => contextOf(id) });
  }
  assert.deepEqual(handling.order, ["handle 1 in ci_1", "handle 2 in ci_2"]);
  assert.deepEqual(running.order, ["run 1 in ci_1", "run 2 in ci_2"]);
});

test("tools of our own are left alone", async () => {
  const local = tool({
    name: "local",
    description: "Runs here.",
    parameters: z.strictObject({}),
    async run() {
      throw new Error("never");
    },
  });
  assert.deepEqual(
    await settleProviderCalls({ tools: [local], items: step, contextFor: (id) => contextOf(id) }),
    [],
  );
});

test("a handler that throws spoils its own call only, and its internals go to the log", async () => {
  const lines: string[] = [];
  const { own } = ownTool(async (value) => {
    if (value === "1") throw new Error("password is hunter2");
    if (value === "2") throw new GloveboxError("tool", "Ask for less.");
    return { message: "handled", value, success: true };
  });
  const items = [...step, Item.parse(codeCall({ id: "ci_3", code: "3" }))];
  const settled = await settleProviderCalls({
    tools: [own],
    items,
    contextFor: (id) => contextOf(id),
    onLog: (line) => lines.push(line),
  });
  assert.deepEqual(
    settled.map(({ result }) => result),
    [
      {
        message: { kind: "error", name: "ToolFailed", message: 'The tool "own_python" failed inside.' },
        value: "1",
        success: false,
      },
      {
        message: { kind: "error", name: "ToolFailed", message: "Ask for less." },
        value: "2",
        success: false,
      },
      { message: "handled", value: "3", success: true },
    ],
  );
  assert.match(lines[0] ?? "", /own_python was not handled: .*hunter2/);
});

test("an abort of the turn ends the handling", async () => {
  const stop = new AbortController();
  const { own, order } = ownTool(async () => {
    stop.abort();
    throw new Error("stopped");
  });
  const settling = settleProviderCalls({
    tools: [own],
    items: step,
    contextFor: (id) => contextOf(id, [], stop.signal),
  });
  await assert.rejects(settling, /stopped/);
  assert.deepEqual(order, ["handle 1 in ci_1"]);
});

test("a model that calls it as a function is told that it takes no calls", async () => {
  const plain = new OpenAICodeInterpreterTool({ container: { type: "auto" }, name: "python" });
  assert.deepEqual(plain.parameters.parse({}), {});
  await assert.rejects(plain.run(), { code: "tool", message: /"python" takes no calls/ });
});
