import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, beforeEach, test } from "node:test";
import { promisify } from "node:util";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { GloveboxError } from "../../src/errors.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { AgentEvent } from "../../src/protocol/events.ts";
import { usageOf } from "../../src/protocol/usage.ts";
import { openSpans } from "../../src/telemetry/spans.ts";
import { python, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);
after(() => provider.shutdown());
beforeEach(() => exporter.reset());

const box = await openTestBox();

async function listen(env: NodeJS.ProcessEnv = {}): Promise<(event: AgentEvent) => void> {
  const listener = await openSpans({ env });
  assert.ok(listener);
  return listener;
}

interface Told {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly failed: boolean;
}

/** In the order they ended, without what differs from run to run. */
function told(): Told[] {
  const spans = exporter.getFinishedSpans();
  const nameOf = (id: string | undefined) => spans.find((span) => span.spanContext().spanId === id)?.name;
  return spans.map((span: ReadableSpan) => {
    const { "gen_ai.response.time_to_first_chunk": firstChunk, ...attributes } = span.attributes;
    assert.ok(firstChunk === undefined || Number(firstChunk) >= 0);
    assert.ok(span.duration[0] >= 0 && span.duration[1] >= 0);
    return {
      name: span.name,
      kind: span.kind,
      parent: nameOf(span.parentSpanContext?.spanId),
      attributes,
      failed: span.status.code === SpanStatusCode.ERROR,
    };
  });
}

const usage = (input: number, output: number, cached = 0, reasoning = 0) => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
  "gen_ai.usage.cache_read.input_tokens": cached,
  "gen_ai.usage.reasoning.output_tokens": reasoning,
});

test("A turn is a span, with its model calls and its tool calls below it, and no word of what was said", async () => {
  const listener = await listen();
  const conversation = await inSession(box, async (session) => {
    const model = scriptedModel(
      [
        { ...(python("2 + 2") as object), usage: usageOf({ input: 10, output: 5, cached: 4, reasoning: 2 }) },
        { text: "Four.", usage: usageOf({ input: 20, output: 3 }) },
      ],
      { name: "mistral/large", provider: "mistral" },
    );
    const { agent, conversation } = scriptedAgent(session, [], { model });
    await agent.ask("What is 2 + 2?", { onEvent: listener });
    return conversation.id;
  });
  const common = {
    "gen_ai.provider.name": "mistral_ai",
    "gen_ai.request.model": "large",
    "gen_ai.agent.name": "test",
    "gen_ai.conversation.id": conversation,
  };
  const chat = { ...common, "gen_ai.operation.name": "chat", "gen_ai.request.stream": true };
  assert.deepEqual(told(), [
    {
      name: "chat large",
      kind: SpanKind.CLIENT,
      parent: "invoke_agent test",
      attributes: { ...chat, ...usage(10, 5, 4, 2), "gen_ai.response.finish_reasons": ["tool_call"] },
      failed: false,
    },
    {
      name: "execute_tool python_repl",
      kind: SpanKind.INTERNAL,
      parent: "invoke_agent test",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "python_repl",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.type": "function",
        "gen_ai.agent.name": "test",
        "gen_ai.conversation.id": conversation,
      },
      failed: false,
    },
    {
      name: "chat large",
      kind: SpanKind.CLIENT,
      parent: "invoke_agent test",
      attributes: { ...chat, ...usage(20, 3), "gen_ai.response.finish_reasons": ["stop"] },
      failed: false,
    },
    {
      name: "invoke_agent test",
      kind: SpanKind.INTERNAL,
      parent: undefined,
      attributes: {
        ...common,
        "gen_ai.operation.name": "invoke_agent",
        ...usage(30, 8, 4, 2),
        "glovebox.turn.ending": "answer",
      },
      failed: false,
    },
  ]);
});

test("With content asked for, spans say what was said, without the secrets", async () => {
  const listener = await listen({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
  await inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      python("password = 'hunter2'\npassword"),
      "Your password='hunter2'.",
    ]);
    await agent.ask("What is my password?", { onEvent: listener });
  });
  const [first, tool, second, turn] = told().map(({ attributes }) => attributes);
  const json = (value: unknown) => JSON.parse(String(value)) as unknown;
  const question = { role: "user", parts: [{ type: "text", content: "What is my password?" }] };
  assert.deepEqual(json(first?.["gen_ai.input.messages"]), [question]);
  const said = json(first?.["gen_ai.output.messages"]) as {
    finish_reason: string;
    parts: { type: string }[];
  }[];
  assert.deepEqual([said[0]?.finish_reason, said[0]?.parts[0]?.type], ["tool_call", "tool_call"]);
  assert.match(String(tool?.["gen_ai.tool.call.arguments"]), /password = '\[redacted\]'/);
  assert.match(String(tool?.["gen_ai.tool.call.result"]), /"kind":"object"/);
  const input = json(second?.["gen_ai.input.messages"]) as { role: string }[];
  assert.deepEqual(
    input.map(({ role }) => role),
    ["user", "assistant", "tool"],
  );
  assert.deepEqual(json(turn?.["gen_ai.input.messages"]), [question]);
  assert.deepEqual(json(turn?.["gen_ai.output.messages"]), [
    {
      role: "assistant",
      parts: [{ type: "text", content: "Your password='[redacted]'." }],
      finish_reason: "stop",
    },
  ]);
});

test("A tool that fails is an error by the name that its output gives", async () => {
  const listener = await listen();
  await inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      python("1 / 0"),
      { calls: [{ name: "no_such_tool", arguments: "{}" }] },
      "Sorry.",
    ]);
    await agent.ask("Go.", { onEvent: listener });
  });
  const tools = told().filter(({ name }) => name.startsWith("execute_tool"));
  assert.deepEqual(
    tools.map(({ name, attributes, failed }) => [name, attributes["error.type"], failed]),
    [
      ["execute_tool python_repl", "ZeroDivisionError", true],
      ["execute_tool no_such_tool", "UnknownTool", true],
    ],
  );
});

test("A model that cannot be reached fails its span and the turn's", async () => {
  const listener = await listen();
  await inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      { error: new GloveboxError("model-unreachable", "No answer.") },
    ]);
    await assert.rejects(agent.ask("Go.", { onEvent: listener }), { code: "model-unreachable" });
  });
  assert.deepEqual(
    told().map(({ name, attributes, failed }) => [name, attributes["error.type"], failed]),
    [
      ["chat scripted", "model-unreachable", true],
      ["invoke_agent test", "model-unreachable", true],
    ],
  );
});

test("What a turn leaves open when it is stopped is ended with it", async () => {
  const listener = await listen();
  await inSession(box, async (session) => {
    const stop = new AbortController();
    const { agent } = scriptedAgent(session, [
      python("import time\nprint('on', flush=True)\ntime.sleep(60)"),
    ]);
    await agent.ask("Go.", {
      signal: stop.signal,
      onEvent: (event) => {
        listener(event);
        if (event.type === "stdout-delta") stop.abort();
      },
    });
  });
  const spans = told();
  assert.deepEqual(spans.map(({ name }) => name).sort(), [
    "chat scripted",
    "execute_tool python_repl",
    "invoke_agent test",
  ]);
  const turn = spans.find(({ name }) => name === "invoke_agent test");
  assert.deepEqual([turn?.attributes["glovebox.turn.ending"], turn?.failed], ["aborted", false]);
});

test("Turns that run beside each other are kept apart", async () => {
  const listener = await listen();
  const events = (turn: string): AgentEvent[] => {
    const whose = { agent: turn, turn };
    return [
      { ...whose, type: "turn-start", model: "offline", provider: "offline", conversation: `conv_${turn}` },
      { ...whose, type: "step-start", step: 1 },
      { ...whose, type: "usage", step: 1, usage: usageOf({ input: 1, output: 1 }), requestId: `req_${turn}` },
      { ...whose, type: "tool-start", callId: "call_1", tool: turn },
      { ...whose, type: "tool-end", callId: "call_1", tool: turn, success: true, output: "{}" },
      { ...whose, type: "turn-end", reason: "answer", answer: "", usage: usageOf({ input: 1, output: 1 }) },
    ];
  };
  const [one, two] = [events("one"), events("two")];
  for (const [index, event] of one.entries()) {
    listener(event);
    listener(two[index] as AgentEvent);
  }
  const below = told().map(({ name, parent, kind, attributes }) => [
    name,
    parent,
    kind === SpanKind.INTERNAL,
    attributes["gen_ai.conversation.id"],
    attributes["gen_ai.response.id"],
  ]);
  assert.deepEqual(below, [
    ["chat offline", "invoke_agent one", true, "conv_one", "req_one"],
    ["chat offline", "invoke_agent two", true, "conv_two", "req_two"],
    ["execute_tool one", "invoke_agent one", true, "conv_one", undefined],
    ["execute_tool two", "invoke_agent two", true, "conv_two", undefined],
    ["invoke_agent one", undefined, true, "conv_one", undefined],
    ["invoke_agent two", undefined, true, "conv_two", undefined],
  ]);
  assert.equal(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).size, 2);
});

test("Without OpenTelemetry there are no spans, and nothing fails", async () => {
  const script = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(name, context, next) {
        if (name.startsWith("@opentelemetry/")) {
          throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
        }
        return next(name, context);
      },
    });
    const { openSpans } = await import(${JSON.stringify(new URL("../../src/telemetry/spans.ts", import.meta.url).href)});
    const { openTelemetry } = await import(${JSON.stringify(new URL("../../src/telemetry/telemetry.ts", import.meta.url).href)});
    const listener = await openTelemetry();
    listener({ type: "notice", text: "hello", agent: "a", turn: "t" });
    console.log(String(await openSpans()));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  assert.equal(stdout, "undefined\n");
});
