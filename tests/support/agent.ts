import assert from "node:assert/strict";
import { Agent, type AgentParts } from "../../src/agent/agent.ts";
import { Conversation } from "../../src/history/conversation.ts";
import { type ScriptedModel, type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import type { FunctionCallOutputItem, Item } from "../../src/protocol/items.ts";
import type { Session } from "../../src/session/session.ts";
import { pythonRepl } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";

/** An agent with Python whose model says the given lines. */
export function scriptedAgent(
  session: Session,
  script: Iterable<ScriptLine>,
  parts: Partial<AgentParts> = {},
): { agent: Agent; model: ScriptedModel; conversation: Conversation } {
  const model = scriptedModel(script);
  const conversation = parts.conversation ?? new Conversation();
  const agent = new Agent({
    name: "test",
    instructions: "Answer.",
    tools: new ToolRegistry([pythonRepl]),
    ...parts,
    model: parts.model ?? model,
    session,
    conversation,
  });
  return { agent, model, conversation };
}

/** What a step calls python_repl with. */
export function python(code: string, more: { intent?: string; callId?: string } = {}): ScriptLine {
  const { callId, ...rest } = more;
  return {
    calls: [{ name: "python_repl", arguments: { code, ...rest }, ...(callId ? { callId } : {}) }],
  };
}

export function outputsIn(items: readonly Item[]): FunctionCallOutputItem[] {
  return items.filter((item) => item.type === "function_call_output");
}

/** The outputs as the model reads them. */
export function readOutputs(items: readonly Item[]): Record<string, unknown>[] {
  return outputsIn(items).map(({ output }) => JSON.parse(String(output)) as Record<string, unknown>);
}

/** Every call has exactly one output, and it stands after the call. */
export function assertEveryCallAnsweredOnce(items: readonly Item[]): void {
  const calls = items.filter((item) => item.type === "function_call").map((item) => item.call_id);
  assert.deepEqual(new Set(calls).size, calls.length, "two calls share an id");
  const outputs = outputsIn(items).map((item) => item.call_id);
  assert.deepEqual([...outputs].sort(), [...calls].sort());
  for (const [index, item] of items.entries()) {
    if (item.type !== "function_call_output") continue;
    const call = items.findIndex((one) => one.type === "function_call" && one.call_id === item.call_id);
    assert.ok(call >= 0 && call < index, `the output of ${item.call_id} stands before its call`);
  }
}
