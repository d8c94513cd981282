import type { WireEvent } from "./output-slot.ts";

export type NumberedEvent = WireEvent & { readonly sequence_number: number };

export interface FeedOptions {
  /** Keeps every event, for listeners that come late. */
  readonly keep: boolean;
  /** Hears every event before the listeners do. */
  readonly onEvent?: (event: NumberedEvent) => void;
}

/** The events of one response, numbered, for any number of listeners. */
export class EventFeed {
  readonly #options: FeedOptions;
  readonly #kept: NumberedEvent[] = [];
  readonly #listeners = new Set<Listener>();
  #next = 0;
  #ended = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  readonly publish = (event: WireEvent): void => {
    const numbered = { ...event, sequence_number: this.#next };
    this.#next += 1;
    if (this.#options.keep) this.#kept.push(numbered);
    this.#options.onEvent?.(numbered);
    for (const listener of this.#listeners) listener.push(numbered);
  };

  end(): void {
    this.#ended = true;
    for (const listener of this.#listeners) listener.push(undefined);
  }

  /** From the event after the given number on. */
  listen(
    after = -1,
  ): AsyncIterableIterator<NumberedEvent> & { return(): Promise<IteratorResult<NumberedEvent>> } {
    const listener = new Listener(() => this.#listeners.delete(listener));
    for (const event of this.#kept) if (event.sequence_number > after) listener.push(event);
    if (this.#ended) listener.push(undefined);
    else this.#listeners.add(listener);
    return listener;
  }
}

/** One listener's own queue. */
class Listener implements AsyncIterableIterator<NumberedEvent> {
  readonly #waiting: (NumberedEvent | undefined)[] = [];
  readonly #leave: () => void;
  #wake: (() => void) | undefined;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  push(event: NumberedEvent | undefined): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<NumberedEvent>> {
    while (this.#waiting.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const event = this.#waiting.shift();
    return event ? { value: event, done: false } : this.return();
  }

  async return(): Promise<IteratorResult<NumberedEvent>> {
    this.#leave();
    this.push(undefined);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
