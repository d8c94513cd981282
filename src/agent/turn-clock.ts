/** When a turn must end: its time, or the caller's signal. */
export class TurnClock implements Disposable {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly #given: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #timeUp = new AbortController();

  constructor(timeMs: number, given: AbortSignal | undefined) {
    this.deadline = performance.now() + timeMs;
    this.#given = given;
    this.#timer = setTimeout(() => this.#timeUp.abort(), timeMs);
    this.signal = given ? AbortSignal.any([given, this.#timeUp.signal]) : this.#timeUp.signal;
  }

  stoppedBy(): "aborted" | "time" | undefined {
    if (this.#given?.aborted) return "aborted";
    return this.#timeUp.signal.aborted ? "time" : undefined;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
