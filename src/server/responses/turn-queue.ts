/** Handles what is pushed one after another, in order; after a failure nothing more. */
export class TurnQueue<T> {
  readonly #handle: (value: T) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #failed: { readonly error: unknown } | undefined;

  constructor(handle: (value: T) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#handle = handle;
    this.#onFailure = onFailure;
  }

  readonly push = (value: T): void => {
    this.#last = this.#last.then(async () => {
      if (this.#failed) return;
      try {
        await this.#handle(value);
      } catch (error) {
        this.#failed = { error };
        this.#onFailure(error);
      }
    });
  };

  /** When all that was pushed is handled; throws what went wrong. */
  async drained(): Promise<void> {
    await this.#last;
    if (this.#failed) throw this.#failed.error;
  }
}
