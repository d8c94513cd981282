import assert from "node:assert/strict";
import { test } from "node:test";
import { repaired } from "../../src/history/repair.ts";
import { assistantMessage, type Item, userMessage } from "../../src/protocol/items.ts";
import { assertEveryCallAnsweredOnce } from "../support/agent.ts";

const call = (id: string): Item => ({
  type: "function_call",
  call_id: id,
  name: "python_repl",
  arguments: "{}",
});
const output = (id: string, text = "{}"): Item => ({
  type: "function_call_output",
  call_id: id,
  output: text,
});
const reasoning = (id: string): Item => ({ type: "reasoning", id, summary: [] });

test("a whole history is left as it is", () => {
  const items = [
    userMessage("a"),
    reasoning("r"),
    call("1"),
    call("2"),
    output("2"),
    output("1"),
    assistantMessage("b"),
  ];
  assert.deepEqual(repaired(items), items);
});

test("a call without an output is answered right after it, with the same id at every reading", () => {
  const items = [userMessage("a"), call("1"), call("2"), output("2"), userMessage("b")];
  const first = repaired(items);
  assert.deepEqual(first, repaired(items));
  assertEveryCallAnsweredOnce(first);
  assert.deepEqual(
    first.map((item) => item.type),
    ["message", "function_call", "function_call_output", "function_call", "function_call_output", "message"],
  );
  assert.equal(first[2]?.type === "function_call_output" && first[2].id, "fco_1_aborted");
});

test("an output without a call, before its call or given twice is dropped and logged", () => {
  const log: string[] = [];
  const items = [
    output("early"),
    call("early"),
    output("orphan"),
    call("1"),
    output("1", "first"),
    output("1", "second"),
  ];
  const kept = repaired(items, (line) => log.push(line));
  assertEveryCallAnsweredOnce(kept);
  assert.deepEqual(
    kept.map((item) => (item.type === "function_call_output" ? item.output.slice(0, 5) : item.type)),
    ["function_call", '{"kin', "function_call", "first"],
  );
  assert.equal(log.length, 3);
});

test("reasoning without what it led to is dropped", () => {
  const items = [
    userMessage("a"),
    reasoning("lost"),
    userMessage("b"),
    reasoning("kept"),
    call("1"),
    output("1"),
    reasoning("last"),
  ];
  assert.deepEqual(
    repaired(items).filter((item) => item.type === "reasoning"),
    [reasoning("kept")],
  );
});

test("any order of calls and outputs comes out whole", () => {
  const pieces = [call("a"), call("b"), output("a"), output("b"), output("c"), userMessage("hi"), call("a")];
  for (let seed = 1; seed <= 500; seed += 1) {
    let state = seed;
    const next = () => {
      state = (state * 48271) % 2147483647;
      return state;
    };
    const items = Array.from({ length: 1 + (next() % 9) }, () => pieces[next() % pieces.length] as Item);
    assertEveryCallAnsweredOnce(repaired(items));
  }
});
