import type { Access } from "../access.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import type { Trouble } from "../model-failure.ts";
import type { WatchedFetch } from "../watched-fetch.ts";
import type { Wire } from "../wire.ts";
import { openClient, troubleOfOpenAI } from "./client.ts";
import { readResponsesEvents } from "./responses-events.ts";
import { responsesBody } from "./responses-input.ts";

/** OpenAI's Responses API, and servers that speak it. */
export class ResponsesWire implements Wire {
  readonly access: Access;
  readonly #model: string;
  #sealedReasoning = true;

  constructor(access: Access, model: string) {
    this.access = access;
    this.#model = model;
  }

  async *stream(request: ModelRequest, watch: WatchedFetch): AsyncGenerator<ModelEvent> {
    const client = await openClient(this.access, watch);
    const send = () => {
      const body = responsesBody({ model: this.#model, request, sealedReasoning: this.#sealedReasoning });
      return client.responses.create(body, { signal: watch.signal }).withResponse();
    };
    const { data, request_id } = await send().catch((error: unknown) => {
      if (!this.#refusesSealedReasoning(error)) throw error;
      this.#sealedReasoning = false;
      return send();
    });
    const events = readResponsesEvents(data, { access: this.access, watch });
    for await (const event of events) {
      yield event.type === "finish" && request_id ? { ...event, requestId: request_id } : event;
    }
  }

  troubleOf(error: unknown): Trouble | undefined {
    return troubleOfOpenAI(error);
  }

  /** Models that do not reason refuse to be asked for their reasoning. */
  #refusesSealedReasoning(error: unknown): boolean {
    const trouble = troubleOfOpenAI(error);
    return (
      this.#sealedReasoning &&
      trouble?.kind === "answered" &&
      trouble.status === 400 &&
      /encrypted[ _]content/i.test(trouble.said)
    );
  }
}
