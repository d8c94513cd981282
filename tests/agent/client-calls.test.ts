import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { usageOf } from "../../src/protocol/usage.ts";
import { pythonRepl } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { outputsIn, python, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();

const mail: Tool = {
  name: "mail",
  description: "Sends a mail.",
  parameters: z.unknown(),
  client: true,
  run: () => Promise.reject(new Error("must not be run")),
};

test("a call of the caller's own ends the turn and is left to it; the others of the step are run", async () => {
  await inSession(box, async (session) => {
    const script = [
      {
        calls: [
          { name: "mail", arguments: { to: "ann" }, callId: "call_mail" },
          { name: "python_repl", arguments: { code: "6 * 7" }, callId: "call_code" },
        ],
      },
    ];
    const { agent } = scriptedAgent(session, script, { tools: new ToolRegistry([pythonRepl, mail]) });
    const written: string[] = [];
    const turn = await agent.ask("Compute and send.", {
      onEvent: (event) => {
        if (event.type === "arguments-delta" && event.callId === "call_mail") written.push(event.text);
      },
    });
    assert.equal(turn.reason, "client-calls");
    assert.deepEqual(
      outputsIn(turn.items).map((item) => item.call_id),
      ["call_code"],
    );
    assert.equal(written.join(""), '{"to":"ann"}');
  });
});

test("where one call a step is allowed, further ones are not heard", async () => {
  await inSession(box, async (session) => {
    const both = {
      calls: [
        { name: "python_repl", arguments: { code: "1" }, callId: "call_1" },
        { name: "python_repl", arguments: { code: "2" }, callId: "call_2" },
      ],
    };
    const { agent, model } = scriptedAgent(session, [both, "Done."]);
    const turn = await agent.ask("Go.", { parallelToolCalls: false });
    assert.deepEqual(
      outputsIn(turn.items).map((item) => item.call_id),
      ["call_1"],
    );
    assert.equal(model.requests[0]?.parallelToolCalls, false);
  });
});

test("what a model may say is bounded for the whole turn", async () => {
  await inSession(box, async (session) => {
    const code = python("1");
    const step = typeof code === "object" ? { ...code, usage: usageOf({ input: 1, output: 30 }) } : code;
    const { agent, model } = scriptedAgent(session, [step, step]);
    const turn = await agent.ask("Go.", { maxOutputTokens: 50 });
    assert.equal(turn.reason, "length");
    assert.deepEqual(
      model.requests.map(({ maxOutputTokens }) => maxOutputTokens),
      [50, 20],
    );
  });
});

test("a call that takes the id of an earlier one goes by an id of its own from its first event on", async () => {
  await inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [
      python("1", { callId: "call_1" }),
      python("2", { callId: "call_1" }),
      "Done.",
    ]);
    const begun: string[] = [];
    const turn = await agent.ask("Go.", {
      onEvent: (event) => {
        if (event.type === "call-start") begun.push(event.callId);
      },
    });
    assert.deepEqual(begun, ["call_1", "call_1_2"]);
    assert.deepEqual(
      outputsIn(turn.items).map((item) => item.call_id),
      begun,
    );
  });
});
