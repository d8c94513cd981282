import { z } from "zod";
import { Item } from "../../protocol/items.ts";
import { type Usage, usageOf } from "../../protocol/usage.ts";
import type { Access } from "../access.ts";
import type { FinishReason, ModelEvent } from "../model.ts";
import { ModelFailure } from "../model-failure.ts";
import type { WatchedFetch } from "../watched-fetch.ts";
import { statusOfCode } from "./client.ts";

const tokens = z.number().int().nonnegative();
const ReportedUsage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  input_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish(),
  output_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish(),
});
const Ended = z.object({
  output: z.array(z.unknown()).nullish(),
  usage: z.unknown().optional(),
  error: z.object({ code: z.unknown().optional(), message: z.string().nullish() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
});
const AddedItem = z.looseObject({
  type: z.string(),
  id: z.string().nullish().catch(undefined),
  call_id: z.string().nullish().catch(undefined),
  name: z.string().nullish().catch(undefined),
});
const Event = z.object({
  type: z.string(),
  delta: z.string().nullish().catch(undefined),
  output_index: z.number().nullish(),
  item: z.unknown().optional(),
  response: z.unknown().optional(),
  code: z.unknown().optional(),
  message: z.string().nullish().catch(undefined),
});
type Event = z.infer<typeof Event>;

/** What a model may say. Outputs of our tools and summaries of ours are not for a provider to make up. */
const SAID = new Set(["message", "function_call", "reasoning", "code_interpreter_call"]);

export interface ReadOptions {
  readonly access: Access;
  readonly watch: WatchedFetch;
}

/** The stream's events as ours. Events and items of kinds that we do not know pass unnoticed. */
export async function* readResponsesEvents(
  events: AsyncIterable<unknown>,
  { access, watch }: ReadOptions,
): AsyncGenerator<ModelEvent> {
  const reader = new Reader(access);
  for await (const raw of events) {
    const event = Event.safeParse(raw);
    if (!event.success) throw reader.nonsense("an event without a type");
    yield* reader.take(event.data);
    if (reader.ended) return;
  }
  if (watch.otherContent) throw reader.nonsense(`content of type ${watch.otherContent}`);
  throw new ModelFailure({ kind: "broken-off" }, access);
}

class Reader {
  readonly #access: Access;
  /** Calls that are being written, by their place in the output. */
  readonly #calls = new Map<number, string>();
  readonly #done = new Set<number>();
  readonly #heard = new Set<string>();
  #called = false;
  ended = false;

  constructor(access: Access) {
    this.#access = access;
  }

  *take(event: Event): Generator<ModelEvent> {
    const at = event.output_index ?? this.#done.size;
    const text = event.delta ?? "";
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (text) yield { type: "text-delta", text };
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        if (text) yield { type: "reasoning-delta", text };
        return;
      case "response.output_item.added":
        return yield* this.#begin(event.item, at);
      case "response.function_call_arguments.delta":
      case "response.code_interpreter_call_code.delta": {
        const callId = this.#calls.get(at);
        if (text && callId) yield { type: "call-delta", callId, delta: text };
        return;
      }
      case "response.output_item.done":
        return yield* this.#finishItem(event.item, at);
      case "response.completed":
      case "response.incomplete":
        return yield* this.#end(event);
      case "response.failed":
      case "error":
        throw this.#failure(event);
    }
  }

  nonsense(detail: string): ModelFailure {
    return new ModelFailure({ kind: "protocol", detail }, this.#access);
  }

  *#begin(raw: unknown, at: number): Generator<ModelEvent> {
    const item = AddedItem.safeParse(raw).data;
    if (item?.type === "function_call" && item.call_id) {
      this.#calls.set(at, item.call_id);
      yield { type: "call-start", callId: item.call_id, name: item.name ?? "" };
    }
    if (item?.type === "code_interpreter_call" && item.id) {
      this.#calls.set(at, item.id);
      yield { type: "call-start", callId: item.id, name: "code_interpreter" };
    }
  }

  *#finishItem(raw: unknown, at: number): Generator<ModelEvent> {
    this.#done.add(at);
    const type = AddedItem.safeParse(raw).data?.type;
    if (type === undefined) throw this.nonsense("an output item without a type");
    if (!SAID.has(type)) return;
    const item = Item.safeParse(raw);
    if (!item.success) throw this.nonsense(`an unreadable ${type} item`);
    if (item.data.type === "message" && item.data.role !== "assistant")
      throw this.nonsense(`a message of the ${item.data.role}`);
    if (this.#isRepeated(at, item.data)) return;
    this.#called ||= item.data.type === "function_call";
    yield { type: "item", item: item.data };
  }

  /** A server that says an item twice has not made the call twice. */
  #isRepeated(at: number, item: Item): boolean {
    const id = "call_id" in item ? item.call_id : item.id;
    const place = `${at} ${id}`;
    if (id === undefined || !this.#heard.has(place)) {
      this.#heard.add(place);
      return false;
    }
    return true;
  }

  *#end({ type, response }: Event): Generator<ModelEvent> {
    const end = Ended.safeParse(response ?? {});
    if (!end.success) throw this.nonsense("an unreadable end");
    for (const [at, item] of (end.data.output ?? []).entries()) {
      if (!this.#done.has(at)) yield* this.#finishItem(item, at);
    }
    this.ended = true;
    const usage = usageFrom(end.data.usage);
    const cut = type === "response.incomplete" ? end.data.incomplete_details?.reason : undefined;
    yield { type: "finish", reason: this.#reason(cut), ...(usage ? { usage } : {}) };
  }

  #reason(cut: string | null | undefined): FinishReason {
    if (cut === "content_filter") return "content-filter";
    if (cut === "max_output_tokens") return "length";
    return this.#called ? "tool-calls" : "stop";
  }

  #failure(event: Event): ModelFailure {
    const inside = Ended.safeParse(event.response).data?.error;
    const code = inside?.code ?? event.code;
    const said = inside?.message ?? event.message ?? "";
    return new ModelFailure(
      {
        kind: "answered",
        status: statusOfCode(code),
        said,
        code: typeof code === "string" ? code : undefined,
      },
      this.#access,
    );
  }
}

function usageFrom(raw: unknown): Usage | undefined {
  const usage = ReportedUsage.safeParse(raw).data;
  if (!usage) return undefined;
  return usageOf({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cached: usage.input_tokens_details?.cached_tokens ?? 0,
    reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
  });
}
