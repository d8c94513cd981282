import assert from "node:assert/strict";
import { test } from "node:test";
import { GloveboxError } from "../../src/errors.ts";
import type { AgentEvent } from "../../src/protocol/events.ts";
import { assertEveryCallAnsweredOnce, python, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();
const limits = { contextTokens: 1500 };

test("a long conversation is summarised between turns and goes on", () =>
  inSession(box, async (session) => {
    const big = python("'x' * 5000");
    const { agent, model } = scriptedAgent(
      session,
      [big, "One.", big, "Two.", "They computed twice.", "Three."],
      {
        limits,
      },
    );
    await agent.ask("First?");
    await agent.ask("Second?");
    const events: AgentEvent[] = [];
    const turn = await agent.ask("Third?", { onEvent: (event) => events.push(event) });
    assert.equal(turn.answer, "Three.");
    const last = model.requests.at(-1)?.input ?? [];
    assert.equal(last[0]?.type, "compaction");
    assertEveryCallAnsweredOnce(last);
    assert.ok(events.some((event) => event.type === "notice" && /summarised/.test(event.text)));
    assert.ok(turn.usage.input_tokens > 0);
  }));

test("where no summary can be had, the oldest turns are left out and the question is answered", () =>
  inSession(box, async (session) => {
    const big = python("'x' * 5000");
    const error = new GloveboxError("model-unreachable", "Nobody answers.");
    const { agent, model } = scriptedAgent(session, [big, "One.", big, "Two.", { error }, "Three."], {
      limits,
    });
    await agent.ask("First?");
    await agent.ask("Second?");
    assert.equal((await agent.ask("Third?")).answer, "Three.");
    assert.ok((model.requests.at(-1)?.input.length ?? 99) < 7);
  }));
