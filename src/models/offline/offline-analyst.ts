// read what was said → decide on the next step → say it in pieces, as any model does
import { GloveboxError } from "../../errors.ts";
import { assistantMessage, type FunctionCallItem } from "../../protocol/items.ts";
import { noUsage } from "../../protocol/usage.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { callIdFor } from "./call-ids.ts";
import { readConversation } from "./conversation-state.ts";
import { type Decision, decide } from "./decide.ts";

const PIECE = 48;

/** The built-in analyst: rules instead of a language model, no network and no key. It remembers nothing between steps. */
export function offlineAnalyst(): Model {
  return { name: "offline", provider: "offline", stream };
}

async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const tools = new Set(request.tools.flatMap((tool) => (tool.type === "function" ? [tool.name] : [])));
  const decision = decide(readConversation(request.input), tools);
  for (const event of events(decision, request)) {
    if (request.signal.aborted) throw new GloveboxError("aborted", "The request was cancelled.");
    yield event;
  }
}

function* events(decision: Decision, request: ModelRequest): Generator<ModelEvent> {
  if ("answer" in decision) {
    for (const text of inPieces(decision.answer)) yield { type: "text-delta", text };
    yield { type: "item", item: assistantMessage(decision.answer) };
    yield { type: "finish", reason: "stop", usage: noUsage };
    return;
  }
  const taken = new Set(
    request.input.flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])),
  );
  for (const { role, tool, arguments: given } of decision.calls) {
    const written = JSON.stringify(given);
    const callId = callIdFor(role, `${request.input.length} ${tool} ${written}`, taken);
    taken.add(callId);
    yield { type: "call-start", callId, name: tool };
    for (const delta of inPieces(written)) yield { type: "call-delta", callId, delta };
    const item: FunctionCallItem = {
      type: "function_call",
      call_id: callId,
      name: tool,
      arguments: written,
      status: "completed",
    };
    yield { type: "item", item };
  }
  yield { type: "finish", reason: "tool-calls", usage: noUsage };
}

/** Whole characters, a few words at a time. */
function inPieces(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${PIECE}}`, "gu")) ?? [];
}
