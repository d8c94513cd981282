import type { KeptItem } from "../../store/kept-item.ts";
import type { ResponseRecord } from "../../store/responses.ts";
import { newId } from "../ids.ts";
import type { ServerParts } from "../server-parts.ts";
import { notFound, WireError } from "../wire-error.ts";
import { EventFeed, type NumberedEvent } from "./event-feed.ts";
import { EventLog } from "./event-log.ts";
import type { ExtraEvents } from "./output-slot.ts";
import { type Prepared, prepare } from "./prepare.ts";
import type { CreateResponse } from "./request.ts";
import {
  endEvent,
  type ResponseHead,
  type ResponseObject,
  responseBody,
  responseObject,
} from "./response-object.ts";
import { ResponseRun } from "./response-run.ts";
import { type Included, shownItem } from "./shown-item.ts";

export interface Asked {
  readonly owner: string;
  readonly request: CreateResponse;
  readonly extra: ExtraEvents;
}

/** A response that is being worked on. */
export interface LiveResponse {
  readonly begun: ResponseObject;
  readonly feed: EventFeed;
  /** All of its events, where they were asked for. */
  readonly events: AsyncIterator<NumberedEvent> | undefined;
  readonly ended: Promise<{ response: ResponseObject; error?: WireError }>;
  stop(): void;
}

/** Responses of every owner, those at work and those that are kept. */
export class ResponseService {
  readonly #parts: ServerParts;
  readonly #live = new Map<string, LiveResponse & { readonly background: boolean }>();
  readonly #recovered: Promise<void>;

  /** `recovered` is waited for before anything else. */
  constructor(parts: ServerParts, recovered: Promise<void> = Promise.resolve()) {
    this.#parts = parts;
    this.#recovered = recovered;
    recovered.catch((error: unknown) => parts.onLog(`Interrupted responses were not marked: ${error}`));
  }

  /** Begins to work; what is wrong with the request is thrown before anything is begun. */
  async begin({ owner, request, extra }: Asked): Promise<LiveResponse> {
    await this.#recovered;
    const slot = this.#parts.limits.run(owner);
    try {
      const prepared = await prepare(this.#parts, owner, request);
      return await this.#start(prepared, extra, slot);
    } catch (error) {
      slot[Symbol.dispose]();
      throw error;
    }
  }

  async get(owner: string, id: string, included: Included): Promise<ResponseObject> {
    const { body } = await this.#record(owner, id);
    const output = await this.#parts.box.store.responses.output(id);
    return responseObject(
      body,
      output.map(({ item }) => shownItem(item, included)),
    );
  }

  /** What the response was asked, with all that went before; in the order it was said. */
  async input(owner: string, id: string): Promise<KeptItem[]> {
    await this.#record(owner, id);
    return this.#parts.box.store.responses.input(owner, id);
  }

  async remove(owner: string, id: string): Promise<void> {
    await this.#record(owner, id);
    const live = this.#live.get(id);
    live?.stop();
    await live?.ended;
    if (!(await this.#parts.box.store.responses.remove(owner, id))) throw notFound("Response", id);
  }

  /** Ends a background response; one that has ended stays as it is. */
  async cancel(owner: string, id: string): Promise<ResponseObject> {
    const { body } = await this.#record(owner, id);
    if (body.background !== true) {
      throw new WireError({
        status: 400,
        message: "Only a background response can be cancelled; to end another one, close its connection.",
        code: "response_not_in_background",
      });
    }
    const live = this.#live.get(id);
    live?.stop();
    await live?.ended;
    return this.get(owner, id, new Set());
  }

  /** The events of a background response that was asked for as a stream, after the one of the given number. */
  async events(owner: string, id: string, after: number): Promise<AsyncIterator<NumberedEvent>> {
    const { body } = await this.#record(owner, id);
    const live = this.#live.get(id);
    if (live?.background) return live.feed.listen(after);
    const kept = await this.#parts.box.store.responses.events(id, after);
    const known = kept.map(({ event }) => event as NumberedEvent);
    if (known.length === 0 && (await this.#parts.box.store.responses.events(id, -1)).length === 0) {
      throw new WireError({
        status: 400,
        message:
          "This response can't be streamed: it was not created with 'background' and 'stream' both true.",
        param: "stream",
      });
    }
    if (known.length > 0) return each(known);
    const response = await this.get(owner, id, new Set());
    return each([{ type: endEvent(body.status), response, sequence_number: after + 1 }]);
  }

  async #start(prepared: Prepared, extra: ExtraEvents, slot: Disposable): Promise<LiveResponse> {
    const { box, now, work, ending } = this.#parts;
    const { owner, request, model } = prepared;
    const head: ResponseHead = {
      id: newId("resp_"),
      createdMs: now(),
      model: request.model ?? model.name,
      request,
    };
    const background = request.background ?? false;
    const log =
      background && request.stream
        ? new EventLog(box.store.responses, head.id, this.#parts.onLog)
        : undefined;
    const feed = new EventFeed({ keep: background, ...(log ? { onEvent: log.add } : {}) });
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, ending]);
    const run = new ResponseRun({ server: this.#parts, prepared, head, feed, extra, signal });
    if (request.store !== false) {
      const status = background ? "queued" : "in_progress";
      await box.store.responses.create({
        id: head.id,
        owner,
        status,
        body: responseBody(head, { status }),
        ...(request.previous_response_id ? { previous: request.previous_response_id } : {}),
        createdMs: head.createdMs,
        input: prepared.input,
      });
    }
    const { begun } = run;
    const events = request.stream ? feed.listen() : undefined;
    const ended = run.run().finally(async () => {
      slot[Symbol.dispose]();
      await log?.flush();
      this.#live.delete(head.id);
    });
    const live = { begun, feed, events, ended, background, stop: () => stop.abort() };
    this.#live.set(head.id, live);
    work.add(ended);
    return live;
  }

  async #record(owner: string, id: string): Promise<ResponseRecord> {
    await this.#recovered;
    const found = await this.#parts.box.store.responses.get(owner, id);
    if (!found) throw notFound("Response", id);
    return found;
  }
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
