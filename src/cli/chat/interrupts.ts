const SECOND_WITHIN_MS = 2000;

export interface InterruptParts {
  /** What cannot be stopped gently is killed; its session lives. */
  readonly kill: () => void;
  readonly now: () => number;
}

/** Ctrl-C while something runs: the first stops it, a second soon after kills it. Neither ends the chat. */
export class Interrupts {
  readonly #parts: InterruptParts;
  #running: AbortController | undefined;
  #onFirst = () => {};
  #first = Number.NEGATIVE_INFINITY;

  constructor(parts: InterruptParts) {
    this.#parts = parts;
  }

  async during<T>(work: (signal: AbortSignal) => Promise<T>, onFirst: () => void = () => {}): Promise<T> {
    const running = new AbortController();
    this.#running = running;
    this.#onFirst = onFirst;
    this.#first = Number.NEGATIVE_INFINITY;
    try {
      return await work(running.signal);
    } finally {
      this.#running = undefined;
    }
  }

  press(): void {
    if (!this.#running) return;
    const now = this.#parts.now();
    if (now - this.#first <= SECOND_WITHIN_MS) this.#parts.kill();
    else if (!this.#running.signal.aborted) this.#onFirst();
    this.#first = now;
    this.#running.abort();
  }
}
