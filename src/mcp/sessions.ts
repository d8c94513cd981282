import { GloveboxError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { gone, HeldSession, type HeldSessionParts, type Lease } from "./held-session.ts";
import { kindOfName, newHandle, sessionId } from "./session-names.ts";

export interface SessionsParts {
  readonly owner: string;
  /** With an id its files are kept. */
  open(options: { readonly id?: string }): Promise<Session>;
  /** The containers of the server, which can be named too. */
  borrow?(id: string): Promise<Lease>;
  readonly now: () => number;
  /** How many sessions an owner may hold at once. */
  readonly most: number;
}

export interface BeginOptions {
  readonly prepare?: ((session: Session) => Promise<void>) | undefined;
  /** Where there are too many, the one that this holder has not used for longest goes. */
  readonly makeRoom?: boolean;
}

/** The sessions of one owner by their names. Each is closed when nobody holds it any more. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #held = new Map<string, HeldSession>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /** A new session whose files go with it. */
  begin(holder: object, options: BeginOptions = {}): HeldSession {
    const name = newHandle();
    return this.#add(holder, options, {
      ...this.#common(options),
      name,
      kind: "handle",
      open: () => this.#parts.open({}),
    });
  }

  /** The session of this name. A kept one is made where there is none. */
  named(name: string, holder: object, options: BeginOptions = {}): HeldSession {
    const kind = kindOfName(name);
    const held = this.#held.get(name);
    if (held) {
      held.holders.add(holder);
      return held;
    }
    const { borrow } = this.#parts;
    if (kind === "handle" || (kind === "container" && !borrow)) throw gone(name);
    const id = sessionId(this.#parts.owner, name);
    return this.#add(holder, options, {
      ...this.#common(options),
      name,
      kind,
      open: () => this.#parts.open({ id }),
      ...(kind === "container" && borrow ? { borrow: () => borrow(name) } : {}),
    });
  }

  /** What this one holds. */
  of(holder: object): HeldSession[] {
    return [...this.#held.values()].filter(({ holders }) => holders.has(holder));
  }

  /** Whoever holds one of these in passing lets go of it after so much idleness. */
  async releaseIdle(holder: object, idleMs: number): Promise<void> {
    const before = this.#parts.now() - idleMs;
    const idle = this.of(holder).filter((held) => !held.busy && held.lastUsedMs < before);
    await Promise.all(idle.map((held) => this.#letGo(held, holder)));
  }

  async release(holder: object): Promise<void> {
    await Promise.all(this.of(holder).map((held) => this.#letGo(held, holder)));
  }

  async close(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    await Promise.allSettled(held.map((one) => one.close()));
  }

  #common({ prepare }: BeginOptions) {
    return { now: this.#parts.now, prepare };
  }

  #add(holder: object, options: BeginOptions, parts: HeldSessionParts): HeldSession {
    if (this.#held.size >= this.#parts.most) this.#makeRoom(holder, options.makeRoom ?? false);
    const held = new HeldSession(parts);
    held.holders.add(holder);
    this.#held.set(parts.name, held);
    return held;
  }

  #makeRoom(holder: object, allowed: boolean): void {
    const [oldest] = this.of(holder)
      .filter((held) => !held.busy && held.holders.size === 1)
      .sort((a, b) => a.lastUsedMs - b.lastUsedMs);
    if (oldest && allowed) {
      void this.#letGo(oldest, holder).catch(() => {});
      return;
    }
    throw new GloveboxError(
      "usage",
      `You have ${this.#held.size} sessions, which is the most at once; go on in one of them.`,
    );
  }

  async #letGo(held: HeldSession, holder: object): Promise<void> {
    held.holders.delete(holder);
    if (held.holders.size > 0) return;
    if (this.#held.get(held.name) === held) this.#held.delete(held.name);
    await held.close();
  }
}
