import { overLimit } from "./wire-error.ts";

export interface OwnerLimitsOptions {
  readonly runs: number;
}

const RETRY_SECONDS = 2;

/** What one owner may have going at once. */
export class OwnerLimits {
  readonly #mostRuns: number;
  readonly #runs = new Map<string, number>();

  constructor(options: OwnerLimitsOptions) {
    this.#mostRuns = options.runs;
  }

  /** A response, which runs one cell at a time; over the limit a WireError 429. Take it with `using`. */
  run(owner: string): Disposable {
    const running = this.#runs.get(owner) ?? 0;
    if (running >= this.#mostRuns) {
      throw overLimit(
        `You have ${running} responses running, which is the most at once; wait for one to end.`,
        RETRY_SECONDS,
      );
    }
    this.#runs.set(owner, running + 1);
    let ended = false;
    return {
      [Symbol.dispose]: () => {
        if (ended) return;
        ended = true;
        const left = (this.#runs.get(owner) ?? 1) - 1;
        if (left > 0) this.#runs.set(owner, left);
        else this.#runs.delete(owner);
      },
    };
  }
}
