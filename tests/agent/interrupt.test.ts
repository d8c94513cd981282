import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEvent } from "../../src/models/model.ts";
import { assertEveryCallAnsweredOnce, python, readOutputs, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();

test("stopping while a cell runs interrupts the cell, keeps the session and answers the call", () =>
  inSession(box, async (session) => {
    const stop = new AbortController();
    const { agent, model } = scriptedAgent(session, [
      python("kept = 1\nprint('started', flush=True)\nimport time\ntime.sleep(600)"),
      python("kept + 1"),
      "Two.",
    ]);
    const stopped = await agent.ask("Wait long.", {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "stdout-delta") stop.abort();
      },
    });
    assert.equal(stopped.reason, "aborted");
    assertEveryCallAnsweredOnce(stopped.items);
    assert.equal(readOutputs(stopped.items)[0]?.name, "KeyboardInterrupt");
    const next = await agent.ask("And now?");
    assert.equal(next.answer, "Two.");
    assert.deepEqual(
      readOutputs(next.items).map(({ json }) => json),
      [2],
    );
    assertEveryCallAnsweredOnce(model.requests.at(-1)?.input ?? []);
  }));

test("of several calls those after the stopped one are answered without being run", () =>
  inSession(box, async (session) => {
    const stop = new AbortController();
    const call = (code: string) => ({ name: "python_repl", arguments: { code } });
    const { agent } = scriptedAgent(session, [
      { calls: [call("print('on', flush=True)\nimport time\ntime.sleep(600)"), call("never = 1")] },
      python("'never' in globals()"),
      "No.",
    ]);
    const stopped = await agent.ask("Go.", {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "stdout-delta") stop.abort();
      },
    });
    assertEveryCallAnsweredOnce(stopped.items);
    assert.equal(readOutputs(stopped.items)[1]?.name, "Aborted");
    const next = await agent.ask("Was it run?");
    assert.equal(readOutputs(next.items)[0]?.json, false);
  }));

test("stopping while the model speaks keeps what it said, even when it does not listen", () =>
  inSession(box, async (session) => {
    const stop = new AbortController();
    async function* deaf(): AsyncGenerator<ModelEvent> {
      yield { type: "text-delta", text: "Once upon a" };
      await new Promise(() => {});
    }
    const { agent, conversation } = scriptedAgent(session, [], {
      model: { name: "deaf", provider: "scripted", stream: deaf },
    });
    const turn = await agent.ask("Tell me a story.", {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "text-delta") stop.abort();
      },
    });
    assert.equal(turn.reason, "aborted");
    assert.deepEqual(conversation.items.at(-1), {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Once upon a", annotations: [] }],
      status: "incomplete",
    });
  }));

test("a signal that was given up before the turn stops it before the model is asked", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, ["Never said."]);
    const turn = await agent.ask("Go.", { signal: AbortSignal.abort() });
    assert.equal(turn.reason, "aborted");
    assert.equal(turn.answer, "");
  }));

test("a turn that runs out of time stops its cell and says so", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(session, [python("import time\ntime.sleep(600)"), "Never."], {
      limits: { timeMs: 1500 },
    });
    const turn = await agent.ask("Go.");
    assert.equal(turn.reason, "time");
    assertEveryCallAnsweredOnce(turn.items);
    assert.equal((await session.run("40 + 2")).kind, "object");
  }));
