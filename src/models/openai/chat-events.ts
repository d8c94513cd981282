import { z } from "zod";
import type { Item, MessageItem } from "../../protocol/items.ts";
import { type Usage, usageOf } from "../../protocol/usage.ts";
import type { Access } from "../access.ts";
import type { FinishReason, ModelEvent, ModelRequest } from "../model.ts";
import { ModelFailure } from "../model-failure.ts";
import { derivedId, sealedReasoning } from "../sealed.ts";
import type { WatchedFetch } from "../watched-fetch.ts";
import { CallDelta, ChatCalls } from "./chat-calls.ts";
import { type Heard, ThinkTags } from "./think-tags.ts";

const tokens = z.number().int().nonnegative();
const ReportedUsage = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens.default(0),
  prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
});
const Said = z.object({
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish().catch(undefined),
  tool_calls: z.array(CallDelta).nullish(),
});
type Said = z.infer<typeof Said>;
const Chunk = z.object({
  id: z.string().nullish(),
  choices: z
    .array(z.object({ delta: Said.nullish(), message: Said.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: z.unknown().optional(),
});
type Chunk = z.infer<typeof Chunk>;

export interface ReadOptions {
  readonly access: Access;
  readonly watch: WatchedFetch;
  readonly request: ModelRequest;
}

/** The stream's chunks as our events; its items come together at the end, as one message and its calls. */
export async function* readChatChunks(
  chunks: AsyncIterable<unknown>,
  { access, watch, request }: ReadOptions,
): AsyncGenerator<ModelEvent> {
  const reader = new Reader(access, request);
  for await (const raw of chunks) {
    const chunk = Chunk.safeParse(raw);
    if (!chunk.success) throw nonsense("an unreadable chunk", access);
    yield* reader.take(chunk.data);
  }
  if (watch.signal.aborted) throw new ModelFailure({ kind: "broken-off" }, access);
  if (!reader.begun && watch.otherContent) throw nonsense(`content of type ${watch.otherContent}`, access);
  // A server may leave out why it ended, but not that it has.
  if (!reader.reason && !watch.saidDone) throw new ModelFailure({ kind: "broken-off" }, access);
  yield* reader.end();
}

class Reader {
  readonly #access: Access;
  readonly #request: ModelRequest;
  #calls: ChatCalls | undefined;
  #responseId = "";
  #text = "";
  #refusal = "";
  #reasoning = "";
  /** Where reasoning came in a field of its own, and so goes back in it. */
  #reasoningField: "reasoning_content" | "reasoning" | undefined;
  #usage: Usage | undefined;
  readonly #tags: ThinkTags | undefined;
  begun = false;
  reason: string | undefined;

  constructor(access: Access, request: ModelRequest) {
    this.#access = access;
    this.#request = request;
    if (!access.provider.ownDialect) this.#tags = new ThinkTags();
  }

  *take(chunk: Chunk): Generator<ModelEvent> {
    this.begun = true;
    this.#responseId ||= chunk.id ?? "";
    this.#usage = usageFrom(chunk.usage) ?? this.#usage;
    const choice = chunk.choices?.[0];
    const said = choice?.delta ?? choice?.message;
    if (said) yield* this.#hear(said);
    this.reason = choice?.finish_reason || this.reason;
  }

  *end(): Generator<ModelEvent> {
    if (this.#tags) yield* this.#keep(this.#tags.end());
    const reason = this.#finishReason();
    const status = reason === "length" || reason === "content-filter" ? "incomplete" : "completed";
    for (const item of this.#items(status)) yield { type: "item", item };
    yield { type: "finish", reason, ...(this.#usage ? { usage: this.#usage } : {}) };
  }

  *#hear(said: Said): Generator<ModelEvent> {
    const field = said.reasoning_content ? "reasoning_content" : "reasoning";
    const thought = said[field];
    if (thought) {
      this.#reasoningField = field;
      yield* this.#keep({ thought, text: "" });
    }
    const text = contentText(said);
    if (text) yield* this.#keep(this.#tags?.take(text) ?? { thought: "", text });
    if (said.refusal) {
      this.#refusal += said.refusal;
      yield { type: "text-delta", text: said.refusal };
    }
    for (const delta of said.tool_calls ?? []) {
      this.#calls ??= this.#newCalls();
      yield* this.#calls.take(delta);
    }
  }

  *#keep({ thought, text }: Heard): Generator<ModelEvent> {
    this.#reasoning += thought;
    this.#text += text;
    if (thought) yield { type: "reasoning-delta", text: thought };
    if (text) yield { type: "text-delta", text };
  }

  #newCalls(): ChatCalls {
    const taken = this.#request.input.flatMap((item) =>
      item.type === "function_call" ? [item.call_id] : [],
    );
    return new ChatCalls({ taken, seed: `${this.#responseId} ${this.#request.input.length}` });
  }

  #items(status: "completed" | "incomplete"): Item[] {
    const calls = this.#calls?.items(status) ?? [];
    const content: MessageItem["content"] = [
      ...(this.#text ? [{ type: "output_text" as const, text: this.#text, annotations: [] }] : []),
      ...(this.#refusal ? [{ type: "refusal" as const, refusal: this.#refusal }] : []),
    ];
    const message: MessageItem = {
      type: "message",
      role: "assistant",
      content,
      status: calls.length > 0 ? "completed" : status,
    };
    return [...this.#thoughts(), ...(content.length > 0 ? [message] : []), ...calls];
  }

  #thoughts(): Item[] {
    if (this.#reasoning === "") return [];
    const field = this.#reasoningField;
    const note = {
      glovebox: this.#access.provider.name,
      of: "reasoning" as const,
      ...(field ? { field } : {}),
    };
    return [sealedReasoning(note, this.#reasoning, derivedId("rs", this.#responseId, this.#reasoning))];
  }

  #finishReason(): FinishReason {
    if (this.reason === "content_filter") return "content-filter";
    if (this.reason === "length") return "length";
    return this.#calls && this.#calls.size > 0 ? "tool-calls" : "stop";
  }
}

function contentText({ content }: Said): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

function nonsense(detail: string, access: Access): ModelFailure {
  return new ModelFailure({ kind: "protocol", detail }, access);
}

function usageFrom(raw: unknown): Usage | undefined {
  const usage = ReportedUsage.safeParse(raw).data;
  if (!usage) return undefined;
  return usageOf({
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  });
}
