import type { Container } from "./container.ts";

const REFILL_DELAY_MS = 100;

/** Containers started ahead of need, one after another: two at once would be slower for whoever needs the first. */
export class WarmPool {
  readonly #size: number;
  readonly #start: () => Container;
  readonly #waiting: Container[] = [];
  #filling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(size: number, start: () => Container) {
    this.#size = size;
    this.#start = start;
  }

  /** The one that has waited longest; it may still be starting. */
  take(): Container | undefined {
    for (let found = this.#waiting.shift(); found; found = this.#waiting.shift())
      if (!found.over) return found;
    return undefined;
  }

  /** Not at once: whoever took one is about to use the machine. */
  refillSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refill();
    }, REFILL_DELAY_MS).unref();
  }

  /** Fulfilled when the pool is full, or the first that could not start has said so in its own `ready`. */
  refill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  /** Who waits is nobody's any more. */
  close(): readonly Container[] {
    this.#closed = true;
    clearTimeout(this.#timer);
    return this.#waiting.splice(0);
  }

  async #fill(): Promise<void> {
    while (!this.#closed) {
      for (const over of this.#waiting.filter((each) => each.over))
        this.#waiting.splice(this.#waiting.indexOf(over), 1);
      if (this.#waiting.length >= this.#size) return;
      const next = this.#start();
      next.keepsProcessAlive(false);
      this.#waiting.push(next);
      const started = await next.ready.then(
        () => true,
        () => false,
      );
      // What cannot start now is tried again when a session is next asked for.
      if (!started) return;
    }
  }
}
