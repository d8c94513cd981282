/** Work that nobody waits for while the server runs, and the end of the server does. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const settled = work.then(
      () => {},
      () => {},
    );
    this.#running.add(settled);
    void settled.then(() => this.#running.delete(settled));
  }

  /** When all of it has come to an end, what was added meanwhile included. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
