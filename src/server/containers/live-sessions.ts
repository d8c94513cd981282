import type { Session } from "../../session/session.ts";
import { overLimit } from "../wire-error.ts";

/** A session that is alive, and who uses it. */
export interface LiveSession {
  readonly owner: string;
  readonly session: Session;
  leases: number;
}

const RETRY_SECONDS = 30;

/** The sessions that are alive, at most so many of one owner. */
export class LiveSessions {
  readonly #mostPerOwner: number;
  readonly #live = new Map<string, LiveSession>();
  readonly #counts = new Map<string, number>();

  constructor(mostPerOwner: number) {
    this.#mostPerOwner = mostPerOwner;
  }

  get count(): number {
    return this.#live.size;
  }

  get(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  all(): [id: string, live: LiveSession][] {
    return [...this.#live];
  }

  /** Throws a WireError 429 where this owner has too many already. */
  async open(id: string, owner: string, make: () => Promise<Session>): Promise<LiveSession> {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#mostPerOwner) {
      throw overLimit(
        `You have ${count} containers with a live session, which is the most at once; delete one, or wait until one expires.`,
        RETRY_SECONDS,
      );
    }
    this.#counts.set(owner, count + 1);
    try {
      const live = { owner, session: await make(), leases: 0 };
      this.#live.set(id, live);
      return live;
    } catch (error) {
      this.#discount(owner);
      throw error;
    }
  }

  async close(id: string): Promise<void> {
    const live = this.#live.get(id);
    if (!live) return;
    this.#live.delete(id);
    this.#discount(live.owner);
    await live.session.close();
  }

  #discount(owner: string): void {
    const left = (this.#counts.get(owner) ?? 1) - 1;
    if (left > 0) this.#counts.set(owner, left);
    else this.#counts.delete(owner);
  }
}
