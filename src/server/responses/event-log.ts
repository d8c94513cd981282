import type { ResponseStore } from "../../store/responses.ts";
import type { NumberedEvent } from "./event-feed.ts";

const TOGETHER_MS = 100;

/** Keeps the events of a response for those who listen again later; a few at a time, since each write waits for the disk. */
export class EventLog {
  readonly #store: ResponseStore;
  readonly #id: string;
  readonly #onLog: (line: string) => void;
  #waiting: NumberedEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ResponseStore, id: string, onLog: (line: string) => void) {
    this.#store = store;
    this.#id = id;
    this.#onLog = onLog;
  }

  readonly add = (event: NumberedEvent): void => {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), TOGETHER_MS);
  };

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#waiting.map((event) => ({ sequence: event.sequence_number, event }));
    this.#waiting = [];
    if (events.length === 0) return;
    await this.#store
      .addEvents(this.#id, events)
      .catch((error: unknown) => this.#onLog(`Events of ${this.#id} were not kept: ${error}`));
  }
}
