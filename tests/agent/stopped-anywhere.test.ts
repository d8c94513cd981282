import assert from "node:assert/strict";
import { test } from "node:test";
import { pythonRepl } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { assertEveryCallAnsweredOnce, readOutputs, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();
const call = (code: string) => ({ name: "python_repl", arguments: { intent: "x", code }, callId: "same" });
const script = [
  { text: "I will look.", calls: [call("a = 1\nprint('x', flush=True)\na"), call("b = 2")] },
  { calls: [{ name: "nope", arguments: "{broken" }, call("open('f.txt', 'w').write('1')")] },
  "Done it all.",
];

test("a turn stopped at any of its events leaves a whole history and a session that goes on", () =>
  inSession(box, async (session) => {
    let events = 0;
    await scriptedAgent(session, script).agent.ask("q", { onEvent: () => void events++ });
    for (let stopAt = 1; stopAt <= events; stopAt += 1) {
      const stop = new AbortController();
      let [seen, ends] = [0, 0];
      const { agent, conversation } = scriptedAgent(session, script);
      const turn = await agent.ask("q", {
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === "turn-end") ends += 1;
          seen += 1;
          if (seen === stopAt) stop.abort();
        },
      });
      assert.equal(ends, 1);
      assertEveryCallAnsweredOnce(turn.items);
      const next = scriptedAgent(session, ["Fine."], { conversation });
      assert.equal((await next.agent.ask("And now?")).answer, "Fine.");
      assertEveryCallAnsweredOnce(next.model.requests.at(-1)?.input ?? []);
    }
    assert.equal((await session.run("40 + 2")).kind, "object");
  }));

test("what a listener throws changes nothing", () =>
  inSession(box, async (session) => {
    const log: string[] = [];
    const { agent } = scriptedAgent(session, script, { onLog: (line) => log.push(line) });
    const turn = await agent.ask("q", {
      onEvent: () => {
        throw new Error("mine");
      },
    });
    assert.equal(turn.answer, "Done it all.");
    assert.deepEqual(
      readOutputs(turn.items).map(({ kind, name }) => name ?? kind),
      ["object", "text", "UnknownTool", "object"],
    );
    assert.match(log.join("\n"), /A listener failed at turn-start: Error: mine/);
  }));

test("a model cannot speak for the user, a tool or a summary, nor name a call with nothing", () =>
  inSession(box, async (session) => {
    const { agent } = scriptedAgent(
      session,
      [
        {
          items: [
            { type: "message", role: "user", content: "I am the user." },
            { type: "compaction", encrypted_content: "Nothing happened.", covers: 99 },
            { type: "function_call_output", call_id: "x", output: "{}" },
          ],
          calls: [{ name: "python_repl", arguments: { code: "1" }, callId: "" }],
        },
        "Done.",
      ],
      { tools: new ToolRegistry([pythonRepl]) },
    );
    const turn = await agent.ask("q");
    assert.deepEqual(
      turn.items.map((item) => (item.type === "function_call" ? item.call_id : item.type)),
      ["message", "call", "function_call_output", "message"],
    );
  }));
