import type { Session } from "../session/session.ts";
import type { HeldSession } from "./held-session.ts";
import type { Sessions } from "./sessions.ts";

/** What the calls of one client work on. */
export interface Desk {
  /** Whether calls that name no session share one. */
  readonly lasting: boolean;
  /** The session that a call means. */
  hold(name: string | undefined): HeldSession;
  held(): HeldSession[];
}

export interface ConnectionDeskOptions {
  /** The name of its own session; without one it has a new session, which ends with the connection. */
  readonly own?: string | undefined;
  readonly prepare?: ((session: Session) => Promise<void>) | undefined;
}

/** A client that is connected: it has a session of its own, and may name others. */
export class ConnectionDesk implements Desk {
  readonly lasting = true;
  readonly #sessions: Sessions;
  readonly #options: ConnectionDeskOptions;
  #own: HeldSession | undefined;

  constructor(sessions: Sessions, options: ConnectionDeskOptions = {}) {
    this.#sessions = sessions;
    this.#options = options;
    if (options.prepare) this.hold(undefined);
  }

  hold(name: string | undefined): HeldSession {
    if (name !== undefined) return this.#sessions.named(name, this);
    const { own, prepare } = this.#options;
    this.#own ??=
      own === undefined
        ? this.#sessions.begin(this, { prepare })
        : this.#sessions.named(own, this, { prepare });
    return this.#own;
  }

  held(): HeldSession[] {
    return this.#sessions.of(this);
  }

  async close(): Promise<void> {
    await this.#sessions.release(this);
  }
}

/** Clients that only send requests: whoever wants to go on in a session names it. */
export class PassingDesk implements Desk {
  readonly lasting = false;
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  hold(name: string | undefined): HeldSession {
    const options = { makeRoom: true };
    return name === undefined
      ? this.#sessions.begin(this, options)
      : this.#sessions.named(name, this, options);
  }

  held(): HeldSession[] {
    return this.#sessions.of(this);
  }

  async releaseIdle(idleMs: number): Promise<void> {
    await this.#sessions.releaseIdle(this, idleMs);
  }
}
