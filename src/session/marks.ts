import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { KernelLink } from "./kernel-link.ts";

/** A state of a session's variables that the session can return to. */
export interface Mark {
  readonly id: string;
  /** The last cell whose doing is part of the state; 0 before the first. */
  readonly cell: number;
}

const Marked = z.object({ cell: z.number().int().nonnegative() });
const Returned = z.object({ notice: z.string() });

/** The marks of one session: the kernel keeps the states, and their numbers are never used twice. */
export class Marks {
  readonly #connect: () => Promise<KernelLink>;
  readonly #prefix: string;
  #next = 1;

  constructor(sessionId: string, connect: () => Promise<KernelLink>) {
    this.#connect = connect;
    this.#prefix = `${sessionId}:`;
  }

  async make(): Promise<Mark> {
    const link = await this.#connect();
    const mark = this.#next++;
    const { cell } = Marked.parse((await link.request({ type: "mark", mark })).value);
    return { id: `${this.#prefix}${mark}`, cell };
  }

  async returnTo(mark: Mark): Promise<{ notice: string }> {
    const number = this.#number(mark);
    try {
      const link = await this.#connect();
      return Returned.parse((await link.request({ type: "return", mark: number })).value);
    } catch (cause) {
      if (!(cause instanceof GloveboxError) || cause.code !== "kernel-lost") throw cause;
      throw new GloveboxError("usage", "The sandbox has ended, and the marks with it; make new ones.", {
        cause,
      });
    }
  }

  async forget(mark: Mark): Promise<void> {
    const link = await this.#connect();
    await link.request({ type: "unmark", mark: this.#number(mark) });
  }

  #number({ id }: Mark): number {
    const number = id.startsWith(this.#prefix) ? Number(id.slice(this.#prefix.length)) : Number.NaN;
    if (Number.isSafeInteger(number) && number > 0 && number < this.#next) return number;
    throw new GloveboxError("usage", `"${id}" is no mark of this session; use what session.mark() gave.`);
  }
}
