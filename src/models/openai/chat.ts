import type { Access } from "../access.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import type { Trouble } from "../model-failure.ts";
import type { WatchedFetch } from "../watched-fetch.ts";
import type { Wire } from "../wire.ts";
import { readChatChunks } from "./chat-events.ts";
import { chatBody } from "./chat-messages.ts";
import { openClient, troubleOfOpenAI } from "./client.ts";

/** Chat Completions: OpenAI's, and that of every server that speaks it. */
export class ChatWire implements Wire {
  readonly access: Access;
  readonly #model: string;
  #askUsage = true;

  constructor(access: Access, model: string) {
    this.access = access;
    this.#model = model;
  }

  async *stream(request: ModelRequest, watch: WatchedFetch): AsyncGenerator<ModelEvent> {
    const client = await openClient(this.access, watch);
    const { provider } = this.access;
    const send = () => {
      const body = chatBody({ model: this.#model, provider, request, askUsage: this.#askUsage });
      return client.chat.completions.create(body, { signal: watch.signal }).withResponse();
    };
    const { data, request_id } = await send().catch((error: unknown) => {
      if (!this.#refusesToCount(error)) throw error;
      this.#askUsage = false;
      return send();
    });
    for await (const event of readChatChunks(data, { access: this.access, watch, request })) {
      yield event.type === "finish" && request_id ? { ...event, requestId: request_id } : event;
    }
  }

  troubleOf(error: unknown): Trouble | undefined {
    return troubleOfOpenAI(error);
  }

  #refusesToCount(error: unknown): boolean {
    const trouble = troubleOfOpenAI(error);
    if (!this.#askUsage || trouble?.kind !== "answered") return false;
    return (
      (trouble.status === 400 || trouble.status === 422) && /stream_options|include_usage/.test(trouble.said)
    );
  }
}
