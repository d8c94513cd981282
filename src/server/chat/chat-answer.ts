// the events of a response → what a chat client reads of them, at once or piece by piece
import { newId } from "../ids.ts";
import type { NumberedEvent } from "../responses/event-feed.ts";
import { seconds } from "../responses/response-object.ts";

interface ChatCall {
  readonly index: number;
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; arguments: string };
}

export type ChatChunk = Readonly<Record<string, unknown>>;

interface ItemEvent {
  readonly output_index: number;
  readonly item: {
    readonly type: string;
    readonly call_id: string;
    readonly name: string;
    readonly container_id: string;
  };
}
interface EndEvent {
  readonly response: {
    readonly usage: WireUsage | null;
    readonly incomplete_details: { readonly reason: string } | null;
    readonly error: { readonly code: string; readonly message: string } | null;
  };
}
interface WireUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number };
  readonly output_tokens_details: { readonly reasoning_tokens: number };
}

/** One answer of a chat, as far as it has come. */
export class ChatAnswer {
  readonly #head: { readonly id: string; readonly created: number; readonly model: string };
  readonly #calls = new Map<number, ChatCall>();
  readonly #hosted: unknown[] = [];
  readonly #annotations: unknown[] = [];
  #text = "";
  #reasoning = "";
  #messages = 0;
  #finish: string | undefined;
  #usage: WireUsage | null = null;
  container: string | undefined;

  constructor(model: string, createdMs: number) {
    this.#head = { id: newId("chatcmpl-"), created: seconds(createdMs), model };
  }

  get text(): string {
    return this.#text;
  }

  get calls(): ChatCall[] {
    return [...this.#calls.values()];
  }

  /** Takes an event in and gives the chunks that tell of it. */
  take(event: NumberedEvent): ChatChunk[] {
    switch (event.type) {
      case "response.created":
        return [this.#chunk({ role: "assistant", content: "", refusal: null })];
      case "response.output_item.added":
        return this.#begin(event as unknown as ItemEvent);
      case "response.output_text.delta":
        return this.#say(String(event.delta));
      case "response.reasoning_summary_text.delta":
        this.#reasoning += String(event.delta);
        return [this.#chunk({ reasoning_content: event.delta })];
      case "response.function_call_arguments.delta":
        return this.#write(Number(event.output_index), String(event.delta));
      case "response.output_text.annotation.added":
        this.#annotations.push(event.annotation);
        return [this.#chunk({ annotations: [event.annotation] })];
      case "response.output_item.done":
        return this.#settle(event as unknown as ItemEvent);
      case "response.completed":
      case "response.incomplete":
        return this.#end(event as unknown as EndEvent);
      default:
        return [];
    }
  }

  usageChunk(): ChatChunk {
    return { ...this.#object("chat.completion.chunk"), choices: [], usage: this.#chatUsage() };
  }

  whole(): ChatChunk {
    const tool_calls = this.calls.map(({ index: _, ...call }) => call);
    const message = {
      role: "assistant",
      content: this.#text === "" && tool_calls.length > 0 ? null : this.#text,
      refusal: null,
      ...(this.#reasoning === "" ? {} : { reasoning_content: this.#reasoning }),
      annotations: this.#annotations,
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    };
    return {
      ...this.#object("chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: this.#finish ?? "stop" }],
      usage: this.#chatUsage(),
      ...(this.#hosted.length > 0 ? { glovebox: { code_interpreter_calls: this.#hosted } } : {}),
    };
  }

  #begin({ output_index, item }: ItemEvent): ChatChunk[] {
    if (item.type === "message") {
      this.#messages += 1;
      return this.#messages > 1 ? this.#say("\n\n") : [];
    }
    if (item.type === "code_interpreter_call") this.container = item.container_id;
    if (item.type !== "function_call") return [];
    const call: ChatCall = {
      index: this.#calls.size,
      id: item.call_id,
      type: "function",
      function: { name: item.name, arguments: "" },
    };
    this.#calls.set(output_index, call);
    return [this.#chunk({ tool_calls: [{ ...call, function: { ...call.function } }] })];
  }

  #say(text: string): ChatChunk[] {
    this.#text += text;
    return [this.#chunk({ content: text })];
  }

  #write(at: number, delta: string): ChatChunk[] {
    const call = this.#calls.get(at);
    if (!call) return [];
    call.function.arguments += delta;
    return [this.#chunk({ tool_calls: [{ index: call.index, function: { arguments: delta } }] })];
  }

  /** Code that was run has no form in chat; it is told beside it, where only those look who know of it. */
  #settle({ item }: ItemEvent): ChatChunk[] {
    if (item.type !== "code_interpreter_call") return [];
    this.#hosted.push(item);
    return [{ ...this.#chunk({}), glovebox: { code_interpreter_call: item } }];
  }

  #end({ response }: EndEvent): ChatChunk[] {
    this.#usage = response.usage;
    this.#finish = this.#finishReason(response.incomplete_details?.reason);
    return [this.#chunk({}, this.#finish)];
  }

  #finishReason(incomplete: string | undefined): string {
    if (incomplete === "content_filter") return "content_filter";
    if (incomplete !== undefined) return "length";
    return this.#calls.size > 0 ? "tool_calls" : "stop";
  }

  #chunk(delta: object, finish: string | null = null): ChatChunk {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finish };
    return { ...this.#object("chat.completion.chunk"), choices: [choice] };
  }

  #object(object: string) {
    return { ...this.#head, object, service_tier: "default" };
  }

  #chatUsage(): object | null {
    const usage = this.#usage;
    return (
      usage && {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
        prompt_tokens_details: { cached_tokens: usage.input_tokens_details.cached_tokens, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: usage.output_tokens_details.reasoning_tokens,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      }
    );
  }
}
