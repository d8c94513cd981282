import { GloveboxError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { SessionKind } from "./session-names.ts";

/** A session for as long as it is worked in. */
export interface Lease extends Disposable {
  readonly session: Session;
  /** What was lost, when the session is a new one in the place of another. */
  readonly revived?: string;
}

export interface HeldSessionParts {
  readonly name: string;
  readonly kind: SessionKind;
  /** A session of this name; what is closed here is not opened again. */
  open(): Promise<Session>;
  /** For a container: the session is the server's, and is only lent. */
  borrow?(): Promise<Lease>;
  /** Done once, before anything else is done in the session. */
  readonly prepare?: ((session: Session) => Promise<void>) | undefined;
  readonly now: () => number;
}

/** One session that clients hold by its name. It is opened with its first use. */
export class HeldSession {
  readonly name: string;
  readonly kind: SessionKind;
  /** Who needs it; without anybody it is closed. */
  readonly holders: Set<object> = new Set();
  readonly #parts: HeldSessionParts;
  #session: Promise<Session> | undefined;
  #current: Session | undefined;
  #uses = 0;
  #lastUsedMs: number;
  #begun = false;
  #closed = false;

  constructor(parts: HeldSessionParts) {
    this.name = parts.name;
    this.kind = parts.kind;
    this.#parts = parts;
    this.#lastUsedMs = parts.now();
  }

  get busy(): boolean {
    return this.#uses > 0;
  }

  get lastUsedMs(): number {
    return this.#lastUsedMs;
  }

  /** Whether there may be anything in it. */
  get filled(): boolean {
    return this.#begun || this.#parts.prepare !== undefined;
  }

  holds(session: Session): boolean {
    return this.#current === session;
  }

  async use<T>(work: (lease: Omit<Lease, keyof Disposable>) => Promise<T>): Promise<T> {
    this.#uses += 1;
    try {
      if (this.#closed) throw gone(this.name);
      using lease = await this.#lease();
      this.#current = lease.session;
      this.#begun = true;
      return await work(lease);
    } finally {
      this.#uses -= 1;
      this.#lastUsedMs = this.#parts.now();
    }
  }

  /** A new Python with the same files. Whatever runs in the old one is ended. */
  async reset(): Promise<void> {
    if (this.#parts.borrow) {
      throw new GloveboxError("usage", `${this.name} is a container; delete it and make another one.`);
    }
    const before = this.#session;
    if (!before) return;
    // Whoever comes from now on waits for the new one.
    const next = this.#renew(before);
    this.#session = next;
    try {
      await next;
    } catch (error) {
      if (this.#session === next) this.#session = this.kind === "kept" ? undefined : before;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const session = await this.#session?.catch(() => undefined);
    await session?.close();
  }

  async #renew(before: Promise<Session>): Promise<Session> {
    const old = await before;
    if (this.kind === "kept") {
      await old.close();
      return this.#parts.open();
    }
    const fresh = await this.#parts.open();
    try {
      for (const { path } of await old.files.list()) await fresh.files.put(path, old.files.read(path));
    } catch (error) {
      await fresh.close();
      throw error;
    }
    await old.close();
    return fresh;
  }

  async #lease(): Promise<Lease> {
    if (this.#parts.borrow) return this.#parts.borrow();
    this.#session ??= this.#open();
    return { session: await this.#session, [Symbol.dispose]: () => {} };
  }

  async #open(): Promise<Session> {
    let session: Session | undefined;
    try {
      session = await this.#parts.open();
      if (!this.#begun) await this.#parts.prepare?.(session);
      if (this.#closed) throw gone(this.name);
      return session;
    } catch (error) {
      this.#session = undefined;
      await session?.close();
      throw error;
    }
  }
}

export function gone(name: string): GloveboxError {
  return new GloveboxError(
    "session-closed",
    `There is no session "${name}" any more; leave the session out to begin another one.`,
  );
}
