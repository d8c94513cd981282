// fill in settings → try the wire → tell an abort, a stall and the provider's errors apart → try again or say it

import { GloveboxError } from "../errors.ts";
import type { Model, ModelEvent, ModelRequest, ModelSettings } from "./model.ts";
import { ModelFailure, type Trouble } from "./model-failure.ts";
import { abortedError, type RetryClock, withRetries } from "./retry.ts";
import { transportTrouble } from "./transport-trouble.ts";
import { WatchedFetch } from "./watched-fetch.ts";
import type { Wire } from "./wire.ts";

export interface StreamingModelParts {
  readonly name: string;
  readonly wire: Wire;
  /** Used where a request has none of its own. */
  readonly settings: ModelSettings;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly clock?: RetryClock | undefined;
}

/** A model behind a network. */
export class StreamingModel implements Model {
  readonly name: string;
  readonly provider: string;
  readonly #parts: StreamingModelParts;

  constructor(parts: StreamingModelParts) {
    this.name = parts.name;
    this.provider = parts.wire.access.provider.name;
    this.#parts = parts;
  }

  stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    const { settings, retries, clock } = this.#parts;
    const whole = { ...settings, ...given(request) };
    return withRetries(() => this.#attempt(whole), {
      retries,
      signal: request.signal,
      ...(clock ? { clock } : {}),
    });
  }

  async *#attempt(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { wire, timeoutMs } = this.#parts;
    if (request.signal.aborted) throw abortedError();
    using watch = new WatchedFetch({ signal: request.signal, timeoutMs });
    try {
      yield* wire.stream(request, watch);
    } catch (error) {
      if (request.signal.aborted) throw abortedError();
      const trouble = this.#troubleOf(error, watch);
      if (trouble?.kind === "answered" && trouble.code === "content_filter") {
        yield { type: "finish", reason: "content-filter" };
        return;
      }
      throw trouble ? new ModelFailure(trouble, wire.access, { cause: error }) : error;
    }
  }

  #troubleOf(error: unknown, watch: WatchedFetch): Trouble | undefined {
    if (watch.stalled) return { kind: "stalled", timeoutMs: this.#parts.timeoutMs };
    if (watch.movedTo !== undefined)
      return { kind: "protocol", detail: `a redirect to ${watch.movedTo}, which is not followed` };
    if (watch.tooLong) return { kind: "protocol", detail: "an answer without end" };
    if (error instanceof ModelFailure) return error.trouble;
    if (error instanceof GloveboxError) return undefined;
    const told = this.#parts.wire.troubleOf(error) ?? transportTrouble(error);
    return told ?? { kind: "protocol", detail: error instanceof Error ? error.message : String(error) };
  }
}

function given(request: ModelRequest): ModelRequest {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as ModelRequest;
}
