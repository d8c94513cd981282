export type Listener<Event> = (event: Event) => void;

/** Passes every event on to every listener, in order. */
export class EventBus<Event> {
  readonly #listeners = new Set<Listener<Event>>();
  readonly #onListenerError: (error: unknown) => void;

  /** What a listener throws is its own trouble: it is told here, and the others hear the event all the same. */
  constructor(onListenerError: (error: unknown) => void = () => {}) {
    this.#onListenerError = onListenerError;
  }

  on(listener: Listener<Event>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: Event): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }
}
