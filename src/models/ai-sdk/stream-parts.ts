import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { assistantMessage, type Item } from "../../protocol/items.ts";
import { type Usage, usageOf } from "../../protocol/usage.ts";
import type { FinishReason, ModelEvent } from "../model.ts";
import { derivedId, type SealedNote, sealedReasoning } from "../sealed.ts";

type Metadata = Record<string, Record<string, unknown>> | undefined;

interface Block {
  readonly kind: "text" | "reasoning";
  text: string;
  metadata: Metadata;
}

/** Puts the parts of an AI SDK stream together into items. */
export class StreamParts {
  readonly #provider: string;
  readonly #taken: Set<string>;
  readonly #blocks = new Map<string, Block>();
  /** Calls that are being written: the provider's id and ours. */
  readonly #open = new Map<string, string>();
  #called = false;
  #notes = 0;
  #responseId = "";
  ended = false;

  /** Ids in `taken` were used for calls earlier in the conversation. */
  constructor({ provider, taken }: { provider: string; taken: Iterable<string> }) {
    this.#provider = provider;
    this.#taken = new Set(taken);
  }

  *take(part: LanguageModelV4StreamPart): Generator<ModelEvent> {
    switch (part.type) {
      case "response-metadata":
        this.#responseId ||= part.id ?? "";
        return;
      case "text-start":
      case "reasoning-start":
        this.#block(part, part.type === "text-start" ? "text" : "reasoning");
        return;
      case "text-delta":
        this.#block(part, "text").text += part.delta;
        if (part.delta) yield { type: "text-delta", text: part.delta };
        return;
      case "reasoning-delta":
        this.#block(part, "reasoning").text += part.delta;
        if (part.delta) yield { type: "reasoning-delta", text: part.delta };
        return;
      case "text-end":
      case "reasoning-end":
        return yield* this.#endBlock(part, part.type === "text-end" ? "text" : "reasoning");
      case "tool-input-start":
        if (!part.providerExecuted) yield* this.#startCall(part.id, part.toolName);
        return;
      case "tool-input-delta": {
        const callId = this.#open.get(part.id);
        if (part.delta && callId) yield { type: "call-delta", callId, delta: part.delta };
        return;
      }
      case "tool-call":
        if (!part.providerExecuted) yield* this.#endCall(part);
        return;
      case "finish":
        return yield* this.#finish(part);
    }
  }

  #block(part: { id: string; providerMetadata?: unknown }, kind: Block["kind"]): Block {
    const key = `${kind} ${part.id}`;
    const block = this.#blocks.get(key) ?? { kind, text: "", metadata: undefined };
    block.metadata = merged(block.metadata, part.providerMetadata as Metadata);
    this.#blocks.set(key, block);
    return block;
  }

  *#endBlock(part: { id: string; providerMetadata?: unknown }, kind: Block["kind"]): Generator<ModelEvent> {
    const block = this.#block(part, kind);
    this.#blocks.delete(`${kind} ${part.id}`);
    yield* this.#items(block);
  }

  *#items({ kind, text, metadata }: Block): Generator<ModelEvent> {
    if (text === "" && !metadata) return;
    if (kind === "reasoning") return yield item(this.#note("reasoning", metadata, text));
    if (metadata) yield item(this.#note(text === "" ? "blank" : "text", metadata));
    if (text !== "") yield item(assistantMessage(text));
  }

  *#startCall(given: string, name: string): Generator<ModelEvent, string> {
    const known = this.#open.get(given);
    if (known) return known;
    const callId = this.#newCallId(given);
    this.#open.set(given, callId);
    yield { type: "call-start", callId, name };
    return callId;
  }

  *#endCall(part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): Generator<ModelEvent> {
    const { toolCallId, toolName, input } = part;
    const streamed = this.#open.has(toolCallId);
    const callId = yield* this.#startCall(toolCallId, toolName);
    if (!streamed && input) yield { type: "call-delta", callId, delta: input };
    this.#open.delete(toolCallId);
    this.#called = true;
    const metadata = part.providerMetadata as Metadata;
    if (metadata) yield item(this.#note("call", metadata));
    yield item({
      type: "function_call",
      call_id: callId,
      name: toolName,
      arguments: input === "" ? "{}" : input,
      status: "completed",
    });
  }

  *#finish(part: Extract<LanguageModelV4StreamPart, { type: "finish" }>): Generator<ModelEvent> {
    for (const block of this.#blocks.values()) yield* this.#items(block);
    this.#blocks.clear();
    this.ended = true;
    const usage = usageFrom(part.usage);
    yield { type: "finish", reason: this.#reason(part.finishReason), ...(usage ? { usage } : {}) };
  }

  /** The id that the provider gave, or another where an earlier call has it. */
  #newCallId(given: string): string {
    const isFree = given !== "" && !this.#taken.has(given);
    const callId = isFree ? given : derivedId("call", this.#responseId, given, this.#taken.size);
    this.#taken.add(callId);
    return callId;
  }

  #note(of: SealedNote["of"], metadata: Metadata, text = ""): Item {
    const note = { glovebox: this.#provider, of, ...(metadata ? { metadata } : {}) };
    return sealedReasoning(note, text, derivedId("rs", this.#responseId, this.#notes++, note, text));
  }

  #reason({ unified }: LanguageModelV4FinishReason): FinishReason {
    if (unified === "length" || unified === "content-filter") return unified;
    return this.#called ? "tool-calls" : "stop";
  }
}

function item(whole: Item): ModelEvent {
  return { type: "item", item: whole };
}

function merged(before: Metadata, more: Metadata): Metadata {
  if (!before || !more) return more ?? before;
  const names = new Set([...Object.keys(before), ...Object.keys(more)]);
  return Object.fromEntries([...names].map((name) => [name, { ...before[name], ...more[name] }]));
}

function usageFrom({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  const counts = { input: inputTokens.total, output: outputTokens.total };
  if (!isCount(counts.input) || !isCount(counts.output)) return undefined;
  return usageOf({
    input: counts.input,
    output: counts.output,
    cached: isCount(inputTokens.cacheRead) ? inputTokens.cacheRead : 0,
    reasoning: isCount(outputTokens.reasoning) ? outputTokens.reasoning : 0,
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
