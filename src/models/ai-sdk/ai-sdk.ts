import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import type { Access } from "../access.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { ModelFailure, type Trouble } from "../model-failure.ts";
import type { WatchedFetch } from "../watched-fetch.ts";
import type { Wire } from "../wire.ts";
import { loadProvider, type OpenLanguageModel } from "./load-provider.ts";
import { callOptions } from "./prompt.ts";
import { StreamParts } from "./stream-parts.ts";
import { missingSetting, troubleOfAiSdk } from "./trouble.ts";

const requestIds = ["x-request-id", "request-id", "mistral-correlation-id", "x-goog-request-id"];

/** Any provider that has a package of the AI SDK. */
export class AiSdkWire implements Wire {
  readonly access: Access;
  readonly #open: OpenLanguageModel;

  private constructor(access: Access, open: OpenLanguageModel) {
    this.access = access;
    this.#open = open;
  }

  static async open(access: Access, model: string): Promise<AiSdkWire> {
    return new AiSdkWire(access, await loadProvider(access, model));
  }

  async *stream(request: ModelRequest, watch: WatchedFetch): AsyncGenerator<ModelEvent> {
    const provider = this.access.provider.name;
    const options = callOptions(provider, request, watch.signal);
    const { stream, response } = await this.#send(options, watch);
    const requestId = requestIds.map((name) => response?.headers?.[name]).find(Boolean);
    const taken = request.input.flatMap((item) => (item.type === "function_call" ? [item.call_id] : []));
    const parts = new StreamParts({ provider, taken });
    for await (const part of stream) {
      this.#check(part);
      for (const event of parts.take(part)) {
        yield event.type === "finish" && requestId ? { ...event, requestId } : event;
      }
      if (parts.ended) return;
    }
    if (watch.otherContent)
      throw this.#failure({ kind: "protocol", detail: `content of type ${watch.otherContent}` });
    throw this.#failure({ kind: "broken-off" });
  }

  troubleOf(error: unknown): Trouble | undefined {
    return troubleOfAiSdk(error);
  }

  async #send(
    options: LanguageModelV4CallOptions,
    watch: WatchedFetch,
  ): Promise<LanguageModelV4StreamResult> {
    try {
      return await this.#open({ fetch: watch.fetch }).doStream(options);
    } catch (error) {
      throw missingSetting(error) ?? error;
    }
  }

  #check(part: LanguageModelV4StreamPart): void {
    if (part.type === "error") throw part.error;
    if (part.type !== "finish") return;
    const { unified, raw } = part.finishReason;
    if (unified === "interrupted") throw this.#failure({ kind: "broken-off" });
    if (unified === "error")
      throw this.#failure({ kind: "protocol", detail: `an end for the reason "${raw ?? "error"}"` });
  }

  #failure(trouble: Trouble): ModelFailure {
    return new ModelFailure(trouble, this.access);
  }
}
