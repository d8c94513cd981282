import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { GloveboxError } from "../../src/errors.ts";
import type { AgentEvent } from "../../src/protocol/events.ts";
import { usageOf } from "../../src/protocol/usage.ts";
import { pythonRepl } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { tool } from "../../src/tools/tool.ts";
import { assertEveryCallAnsweredOnce, python, readOutputs, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();

test("a turn goes from the question through a cell to the answer", () =>
  inSession(box, async (session) => {
    const { agent, model } = scriptedAgent(session, [
      python("x = 6 * 7\nx", { intent: "Multiply" }),
      "The answer is 42.",
    ]);
    const turn = await agent.ask("What is six times seven?");
    assert.equal(turn.answer, "The answer is 42.");
    assert.equal(turn.reason, "answer");
    assert.equal(turn.session, session.id);
    assert.deepEqual(
      turn.cells.map(({ code, intent, result }) => ({ code, intent, kind: result.kind })),
      [{ code: "x = 6 * 7\nx", intent: "Multiply", kind: "object" }],
    );
    assert.deepEqual(
      turn.items.map((item) => item.type),
      ["message", "function_call", "function_call_output", "message"],
    );
    const [first, second] = model.requests;
    assert.deepEqual(
      first?.tools.map((spec) => spec.type === "function" && spec.name),
      ["python_repl"],
    );
    assert.deepEqual(second?.input, turn.items.slice(0, 3));
    assert.deepEqual(
      readOutputs(turn.items).map(({ json }) => json),
      [42],
    );
  }));

test("variables stay from turn to turn, and the model is told what was said", () =>
  inSession(box, async (session) => {
    const { agent, model } = scriptedAgent(session, [python("n = 5"), "Kept.", python("n + 1"), "Six."]);
    await agent.ask("Keep five.");
    const turn = await agent.ask("One more?");
    assert.deepEqual(
      readOutputs(turn.items).map(({ json }) => json),
      [6],
    );
    assert.equal(model.requests.at(-1)?.input.length, 7);
  }));

test("events tell all that happens, in order", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      python("print('hello')\nopen('made.txt', 'w').write('x') and None", { intent: "Say hello" }),
      "Done.",
    ]);
    const events: AgentEvent[] = [];
    await agent.ask("Go.", { onEvent: (event) => events.push(event) });
    const kinds = events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1]);
    assert.deepEqual(kinds, [
      "turn-start",
      "item",
      "step-start",
      "call-start",
      "code-delta",
      "item",
      "usage",
      "tool-start",
      "cell-start",
      "stdout-delta",
      "cell-end",
      "file",
      "item",
      "tool-end",
      "step-start",
      "text-delta",
      "item",
      "usage",
      "turn-end",
    ]);
    const code = events.map((event) => (event.type === "code-delta" ? event.text : "")).join("");
    assert.equal(code, "print('hello')\nopen('made.txt', 'w').write('x') and None");
    assert.ok(events.every((event) => event.agent === "test" && event.turn === events[0]?.turn));
    assert.deepEqual(
      events.find((event) => event.type === "file"),
      {
        type: "file",
        callId: "call_1",
        path: "/mnt/data/made.txt",
        bytes: 1,
        agent: "test",
        turn: events[0]?.turn,
      },
    );
  }));

test("an unknown tool, broken JSON and wrong arguments are told to the model, and the turn goes on", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      { calls: [{ name: "no_such_tool", arguments: {} }] },
      { calls: [{ name: "python_repl", arguments: '{"code": "1 +' }] },
      { calls: [{ name: "python_repl", arguments: { cod: "1" } }] },
      { calls: [{ name: "python_repl", arguments: "[1]" }] },
      "I give up.",
    ]);
    const turn = await agent.ask("Go.");
    assert.equal(turn.answer, "I give up.");
    assertEveryCallAnsweredOnce(turn.items);
    const outputs = readOutputs(turn.items);
    assert.deepEqual(
      outputs.map(({ kind, name }) => [kind, name]),
      [
        ["error", "UnknownTool"],
        ["error", "BadArguments"],
        ["error", "BadArguments"],
        ["error", "BadArguments"],
      ],
    );
    assert.deepEqual(outputs[0]?.tools, ["python_repl"]);
    assert.match(String(outputs[1]?.message), /not JSON/);
    assert.match(String(outputs[2]?.message), /code/);
  }));

test("two calls at once are both run, in order, even when they share an id", () =>
  inSession(box, async (session) => {
    const call = (code: string) => ({ name: "python_repl", arguments: { code }, callId: "same" });
    const { agent } = scriptedAgent(session, [{ calls: [call("a = 1\na"), call("a + 1")] }, "Both."]);
    const turn = await agent.ask("Go.");
    assertEveryCallAnsweredOnce(turn.items);
    assert.deepEqual(
      readOutputs(turn.items).map(({ json }) => json),
      [1, 2],
    );
  }));

test("tools that allow it run beside each other, others after them", () =>
  inSession(box, async (session) => {
    const running = new Set<string>();
    const seen: string[][] = [];
    const both = Promise.withResolvers<void>();
    const meet = tool({
      name: "meet",
      description: "Waits for the other one.",
      parameters: z.strictObject({ who: z.string() }),
      parallel: true,
      async run({ who }) {
        running.add(who);
        seen.push([...running]);
        if (running.size === 2) both.resolve();
        await both.promise;
        return { message: `met ${who}`, value: who, success: true };
      },
    });
    const { agent } = scriptedAgent(
      session,
      [
        {
          calls: [
            { name: "meet", arguments: { who: "a" } },
            { name: "meet", arguments: { who: "b" } },
            { name: "python_repl", arguments: { code: "'after'" } },
          ],
        },
        "Done.",
      ],
      { tools: new ToolRegistry([meet, pythonRepl]) },
    );
    const turn = await agent.ask("Go.");
    assert.deepEqual(seen, [["a"], ["a", "b"]]);
    assert.deepEqual(
      readOutputs(turn.items).map(({ kind }) => kind),
      ["text", "text", "object"],
    );
  }));

test("a model that never stops calling is stopped after its steps, and asked for an answer at the last", () =>
  inSession(box, async (session) => {
    const script = (function* () {
      for (;;) yield python("1");
    })();
    const { agent, model } = scriptedAgent(session, script, { limits: { steps: 4 } });
    const turn = await agent.ask("Go.");
    assert.equal(turn.reason, "steps");
    assert.equal(turn.cells.length, 3);
    assertEveryCallAnsweredOnce(turn.items);
    assert.deepEqual(
      model.requests.map(({ toolChoice }) => toolChoice),
      ["auto", "auto", "auto", "none"],
    );
    assert.match(model.requests.at(-1)?.instructions ?? "", /last step/);
    assert.equal(readOutputs(turn.items).at(-1)?.name, "LimitReached");
  }));

test("a turn that has used its tokens ends, with every call answered", () =>
  inSession(box, async (session) => {
    const usage = usageOf({ input: 900, output: 200 });
    const step = { calls: [{ name: "python_repl", arguments: { code: "1" } }], usage };
    const { agent } = scriptedAgent(session, [step, step, "Never said."], { limits: { tokens: 2000 } });
    const turn = await agent.ask("Go.");
    assert.equal(turn.reason, "tokens");
    assert.deepEqual(turn.usage, usageOf({ input: 1800, output: 400 }));
    assertEveryCallAnsweredOnce(turn.items);
  }));

test("values that have no form in JSON come back as valid JSON", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      python(`
from decimal import Decimal
{"when": pd.Timestamp("2024-02-29 12:00"), "numbers": np.arange(3), "exact": Decimal("1.10"), "none": float("nan"),
 "big": 2**70, "bytes": b"\\xff", "set": {1}}`),
      python("pd.Timestamp('2024-01-01')"),
      python("np.zeros((2, 2))"),
      python("Decimal('0.1')"),
      "Done.",
    ]);
    const turn = await agent.ask("Go.");
    assert.equal(turn.reason, "answer");
    const outputs = readOutputs(turn.items);
    assert.deepEqual(
      outputs.map(({ kind }) => kind),
      ["object", "object", "object", "object"],
    );
    assert.deepEqual(outputs[1]?.json, "2024-01-01T00:00:00");
    assert.deepEqual(outputs[2]?.json, [
      [0, 0],
      [0, 0],
    ]);
  }));

test("what the model reads of a call is bounded and says so", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [python("print('0123456789' * 10_000)"), "Long."]);
    const turn = await agent.ask("Go.");
    const output = String(turn.items.find((item) => item.type === "function_call_output")?.output);
    assert.ok(Buffer.byteLength(output) <= 8 * 1024);
    const read = JSON.parse(output) as Record<string, unknown>;
    assert.match(String(read.text), /characters left out/);
    assert.match(String(read.cut), /bytes were cut to 8,192/);
  }));

test("a tool that throws is told to the model without its internals, and to the log with them", () =>
  inSession(box, async (session) => {
    const failing = (message: string | GloveboxError) =>
      tool({
        name: "fail",
        description: "Fails.",
        parameters: z.strictObject({}),
        async run(): Promise<never> {
          throw typeof message === "string" ? new TypeError(message) : message;
        },
      });
    const log: string[] = [];
    const call = { calls: [{ name: "fail", arguments: {} }] };
    for (const [error, said] of [
      ["secret at /srv/inner.ts", /^The tool "fail" failed inside/],
      [new GloveboxError("tool", "Give a smaller number."), /^Give a smaller number\.$/],
    ] as const) {
      const { agent } = scriptedAgent(session, [call, "Done."], {
        tools: new ToolRegistry([failing(error)]),
        onLog: (line) => log.push(line),
      });
      const turn = await agent.ask("Go.");
      assert.match(String(readOutputs(turn.items)[0]?.message), said);
    }
    assert.match(log.join("\n"), /secret at \/srv\/inner\.ts/);
  }));

test("usage is the provider's where it counts, a guess where it does not, and always the sum of the steps", () =>
  inSession(box, async (session) => {
    const counted = usageOf({ input: 100, output: 10, cached: 40, reasoning: 5 });
    const calls = [{ name: "python_repl", arguments: { code: "'x' * 100_000" } }];
    const { agent } = scriptedAgent(session, [
      { calls, usage: counted },
      { text: "Hi.", usage: counted },
    ]);
    const turn = await agent.ask("Go.");
    assert.deepEqual(turn.usage, usageOf({ input: 200, output: 20, cached: 80, reasoning: 10 }));
    const guessed = await scriptedAgent(session, ["Four words are here."]).agent.ask("Go.");
    assert.equal(guessed.usage.estimated, true);
    assert.ok(guessed.usage.input_tokens > 0 && guessed.usage.output_tokens > 0);
  }));

test("a model that fails is an error, and the conversation can go on after it", () =>
  inSession(box, async (session) => {
    const error = new GloveboxError("model-unreachable", "Nobody answers.");
    const { agent, conversation } = scriptedAgent(session, [
      { text: "I was about to", error },
      "Here I am again.",
    ]);
    await assert.rejects(agent.ask("Hello?"), { code: "model-unreachable" });
    const turn = await agent.ask("Still there?");
    assert.equal(turn.answer, "Here I am again.");
    assert.deepEqual(
      conversation.items.map((item) => item.type === "message" && item.role),
      ["user", "assistant", "user", "assistant"],
    );
  }));

test("a content filter and a cut answer are endings of their own", () =>
  inSession(box, async (session) => {
    const ask = async (finish: "length" | "content-filter") =>
      (await scriptedAgent(session, [{ text: "Half", finish }]).agent.ask("Go.")).reason;
    assert.equal(await ask("length"), "length");
    assert.equal(await ask("content-filter"), "content-filter");
  }));

test("a forced tool is forced once only", () =>
  inSession(box, async (session) => {
    const { agent, model } = scriptedAgent(session, [python("1"), "One."]);
    await agent.ask("Go.", { toolChoice: { type: "function", name: "python_repl" } });
    assert.deepEqual(
      model.requests.map(({ toolChoice }) => toolChoice),
      [{ type: "function", name: "python_repl" }, "auto"],
    );
  }));
