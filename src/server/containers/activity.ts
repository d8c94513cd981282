import type { ContainerStore, StoredContainer } from "../../store/containers.ts";

/** How much older than the truth the store's word on a container's last activity may be. */
const STALE_MS = 10_000;

/** When containers were last used. Every use counts at once, and is written down only now and then. */
export class Activity {
  readonly #store: ContainerStore;
  readonly #now: () => number;
  readonly #unwritten = new Map<string, number>();

  constructor(store: ContainerStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  lastOf(container: Pick<StoredContainer, "id" | "lastActiveMs">): number {
    return this.#unwritten.get(container.id) ?? container.lastActiveMs;
  }

  async touch(container: StoredContainer): Promise<void> {
    const nowMs = this.#now();
    this.#unwritten.set(container.id, nowMs);
    if (nowMs - container.lastActiveMs >= STALE_MS) await this.write(container.id, container.opened);
  }

  /** `opened` says that there is, or was, a session whose variables can be lost. */
  async write(id: string, opened: boolean): Promise<void> {
    const lastActiveMs = this.#unwritten.get(id);
    if (lastActiveMs === undefined) return;
    this.#unwritten.delete(id);
    await this.#store.touch(id, { lastActiveMs, opened });
  }

  forget(id: string): void {
    this.#unwritten.delete(id);
  }
}
