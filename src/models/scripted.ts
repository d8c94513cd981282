import { GloveboxError } from "../errors.ts";
import { assistantMessage, type Item } from "../protocol/items.ts";
import type { Usage } from "../protocol/usage.ts";
import type { FinishReason, Model, ModelEvent, ModelRequest } from "./model.ts";

export interface ScriptedCall {
  readonly name: string;
  /** An object is sent as JSON; a string as it is, so that a model that writes nonsense can be played. */
  readonly arguments: string | Readonly<Record<string, unknown>>;
  readonly callId?: string;
}

export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Further items, before the text. */
  readonly items?: readonly Item[];
  readonly usage?: Usage;
  readonly finish?: FinishReason;
  /** Thrown after everything else of the step. */
  readonly error?: Error;
}

/** What the model says in a step, or how it makes that up from what it is asked. */
export type ScriptLine = string | ScriptedStep | ((request: ModelRequest) => string | ScriptedStep);

export interface ScriptedModel extends Model {
  /** What it was asked, in order. */
  readonly requests: readonly ModelRequest[];
}

const PIECE = 7;

/** A model for tests: it says its lines in order, in small pieces, as a real one does. */
export function scriptedModel(
  script: Iterable<ScriptLine>,
  named: { name?: string; provider?: string } = {},
): ScriptedModel {
  const lines = script[Symbol.iterator]();
  const requests: ModelRequest[] = [];
  let calls = 0;

  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    requests.push({ ...request, input: [...request.input] });
    const next = lines.next();
    if (next.done) throw new GloveboxError("model-protocol", "The script has no line left for this step.");
    const line = typeof next.value === "function" ? next.value(request) : next.value;
    const step = typeof line === "string" ? { text: line } : line;
    const say = function* (event: ModelEvent) {
      if (request.signal.aborted) throw new GloveboxError("aborted", "The request was cancelled.");
      yield event;
    };
    for (const item of step.items ?? []) yield* say({ type: "item", item });
    if (step.text !== undefined) {
      for (const text of inPieces(step.text)) yield* say({ type: "text-delta", text });
      yield* say({ type: "item", item: assistantMessage(step.text) });
    }
    for (const call of step.calls ?? []) {
      const callId = call.callId ?? `call_${++calls}`;
      const written = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
      yield* say({ type: "call-start", callId, name: call.name });
      for (const delta of inPieces(written)) yield* say({ type: "call-delta", callId, delta });
      const item: Item = { type: "function_call", call_id: callId, name: call.name, arguments: written };
      yield* say({ type: "item", item });
    }
    if (step.error) throw step.error;
    const reason = step.finish ?? (step.calls?.length ? "tool-calls" : "stop");
    yield* say({ type: "finish", reason, ...(step.usage ? { usage: step.usage } : {}) });
  }

  return { name: named.name ?? "scripted", provider: named.provider ?? "scripted", requests, stream };
}

function inPieces(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, "gu")) ?? [];
}
