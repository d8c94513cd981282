import { GloveboxError } from "../errors.ts";
import { estimateTokens, estimateUsage } from "../history/tokens.ts";
import type { FinishReason, ModelEvent, TextFormat } from "../models/model.ts";
import { assistantMessage, type FunctionCallItem, type Item } from "../protocol/items.ts";
import type { ToolChoice } from "../protocol/tool-specs.ts";
import type { Usage } from "../protocol/usage.ts";
import { StreamedString } from "../support/streamed-string.ts";
import { untilAborted } from "../support/until-aborted.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { ToolEvent } from "../tools/tool.ts";
import type { TurnParts } from "./turn.ts";

/** What the model said in one step. */
export interface Step {
  readonly items: readonly Item[];
  readonly calls: readonly FunctionCallItem[];
  readonly finish: FinishReason;
  readonly usage: Usage;
}

export interface StepRequest {
  readonly number: number;
  readonly input: readonly Item[];
  readonly toolChoice: ToolChoice;
  readonly textFormat?: TextFormat;
  readonly parallelToolCalls?: boolean;
  readonly maxOutputTokens?: number;
  /** Added to the instructions of this step. */
  readonly addendum?: string;
  readonly signal: AbortSignal;
  readonly emit: (event: ToolEvent) => void;
  readonly append: (item: Item) => Promise<void>;
  /** Whether a call of that id is in the conversation already. */
  readonly taken: (callId: string) => boolean;
}

/** Asks the model once, records what it says and passes on what it is saying. */
export async function takeStep(parts: TurnParts, request: StepRequest): Promise<Step> {
  const instructions = [parts.instructions, request.addendum].filter(Boolean).join("\n\n");
  const heard = new Hearing(parts.tools, request);
  const { toolChoice, textFormat, parallelToolCalls, maxOutputTokens, input, signal } = request;
  try {
    const said = parts.model.stream({
      ...parts.settings,
      instructions,
      input,
      tools: parts.tools.specs(),
      toolChoice,
      ...(textFormat ? { textFormat } : {}),
      ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      signal,
    });
    for await (const event of untilAborted(said, signal)) await heard.take(event);
  } catch (error) {
    await heard.keepWhatWasSaid();
    throw error;
  }
  if (!heard.finish) {
    throw new GloveboxError("model-protocol", "The model's answer broke off before its end; ask again.");
  }
  const { usage: counted, reason, requestId } = heard.finish;
  const usage = counted ?? estimateUsage(estimateTokens(input, [instructions]), heard.items);
  request.emit({ type: "usage", step: request.number, usage, ...(requestId ? { requestId } : {}) });
  const calls = heard.items.filter((item) => item.type === "function_call");
  return { items: heard.items, calls, finish: reason, usage };
}

/** Collects a step's items while they come in. */
class Hearing {
  readonly items: Item[] = [];
  finish: Extract<ModelEvent, { type: "finish" }> | undefined;
  readonly #tools: ToolRegistry;
  readonly #request: StepRequest;
  readonly #written = new Map<string, StreamedString>();
  /** The ids that calls go by here, by those that the model gave them. */
  readonly #ids = new Map<string, string>();
  readonly #begun = new Map<string, string>();
  /** The last number that made an id unique, by the id. */
  readonly #counts = new Map<string, number>();
  #first: string | undefined;
  #openText = "";

  constructor(tools: ToolRegistry, request: StepRequest) {
    this.#tools = tools;
    this.#request = request;
  }

  async take(event: ModelEvent): Promise<void> {
    const { emit } = this.#request;
    switch (event.type) {
      case "text-delta":
        this.#openText += event.text;
        emit(event);
        return;
      case "reasoning-delta":
        emit(event);
        return;
      case "call-start":
        return this.#beginCall(event);
      case "call-delta":
        return this.#writeCall(event);
      case "item":
        if (!isSaidByModel(event.item)) return;
        if (event.item.type === "function_call" && this.#oneTooMany(event.item.call_id)) return;
        return this.#keep(event.item);
      case "finish":
        this.finish = event;
    }
  }

  #beginCall({ callId: given, name }: Extract<ModelEvent, { type: "call-start" }>): void {
    if (this.#oneTooMany(given)) return;
    const callId = this.#ownId(given);
    this.#ids.set(given, callId);
    this.#request.emit({ type: "call-start", callId, tool: name });
    const streamed = this.#tools.get(name)?.streamed;
    if (streamed) this.#written.set(given, new StreamedString(streamed));
    this.#begun.set(given, name);
  }

  #writeCall({ callId: given, delta }: Extract<ModelEvent, { type: "call-delta" }>): void {
    const callId = this.#ids.get(given);
    if (callId === undefined || delta === "") return;
    const text = this.#written.get(given)?.push(delta);
    if (text) this.#request.emit({ type: "code-delta", callId, text });
    if (this.#tools.get(this.#begun.get(given) ?? "")?.client)
      this.#request.emit({ type: "arguments-delta", callId, text: delta });
  }

  /** Whether this is a second call where one is allowed. */
  #oneTooMany(callId: string): boolean {
    if (this.#request.parallelToolCalls !== false) return false;
    this.#first ??= callId;
    return this.#first !== callId || this.items.some((item) => item.type === "function_call");
  }

  /** A model that was stopped in the middle of a sentence has said that much. */
  async keepWhatWasSaid(): Promise<void> {
    if (this.#openText.trim() === "") return;
    await this.#keep({ ...assistantMessage(this.#openText), status: "incomplete" });
  }

  async #keep(item: Item): Promise<void> {
    if (item.type === "message") this.#openText = "";
    const kept = item.type === "function_call" ? this.#withOwnId(item) : item;
    this.items.push(kept);
    await this.#request.append(kept);
  }

  #withOwnId(call: FunctionCallItem): FunctionCallItem {
    const begun = this.#ids.get(call.call_id);
    this.#ids.delete(call.call_id);
    return { ...call, call_id: begun ?? this.#ownId(call.call_id) };
  }

  /** Outputs find their call by its id, so no two calls may share one. */
  #ownId(given: string): string {
    const open = new Set(this.#ids.values());
    const name = given || "call";
    let callId = name;
    let count = this.#counts.get(name) ?? 1;
    while (this.#request.taken(callId) || open.has(callId)) callId = `${name}_${++count}`;
    this.#counts.set(name, count);
    return callId;
  }
}

/** Outputs, summaries and what the user says are not for a model to make up. */
function isSaidByModel(item: Item): boolean {
  if (item.type === "message") return item.role === "assistant";
  return item.type !== "function_call_output" && item.type !== "compaction";
}
