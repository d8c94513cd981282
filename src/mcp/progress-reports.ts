import type { ProgressToken, ServerContext } from "@modelcontextprotocol/server";
import { cutText } from "../tools/bound-output.ts";

const PAUSE_MS = 100;
const HEARTBEAT_MS = 5000;
const MOST_CHARACTERS = 2000;

/** Tells a client that asked for it what a call prints while it runs, in few and short messages. */
export class ProgressReports implements Disposable {
  readonly #token: ProgressToken | undefined;
  readonly #notify: ServerContext["mcpReq"]["notify"];
  readonly #startedAt = performance.now();
  #unsaid = "";
  #count = 0;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #heart: NodeJS.Timeout | undefined;

  constructor({ mcpReq }: ServerContext) {
    this.#token = mcpReq._meta?.progressToken;
    this.#notify = mcpReq.notify;
    if (this.#token !== undefined) this.#heart = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  print(text: string): void {
    if (this.#token === undefined) return;
    // What lies between the first and the last words is not told anyway.
    this.#unsaid = cutText(this.#unsaid + text, 2 * MOST_CHARACTERS);
    this.#timer ??= setTimeout(() => this.#send(), this.#count === 0 ? 0 : PAUSE_MS);
  }

  /** Tells what is left, so that it comes before the result. */
  async finish(): Promise<void> {
    await this.#sending;
    this.#send();
    await this.#sending;
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heart);
    clearTimeout(this.#timer);
    this.#unsaid = "";
  }

  #beat(): void {
    if (this.#unsaid !== "") return;
    this.#unsaid = `Running for ${Math.round((performance.now() - this.#startedAt) / 1000)} s`;
    this.#send();
  }

  /** One message at a time: a client that reads slowly gets fewer. */
  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsaid === "" || this.#sending) return;
    const message = cutText(this.#unsaid, MOST_CHARACTERS).replace(/\n$/, "");
    this.#unsaid = "";
    this.#sending = this.#say(message).finally(() => {
      this.#sending = undefined;
      if (this.#unsaid !== "") this.#timer ??= setTimeout(() => this.#send(), PAUSE_MS);
    });
  }

  async #say(message: string): Promise<void> {
    if (this.#token === undefined) return;
    this.#count += 1;
    const params = { progressToken: this.#token, progress: this.#count, message };
    // A client that is gone hears no more; its call ends elsewhere.
    await this.#notify({ method: "notifications/progress", params }).catch(() => {});
  }
}
