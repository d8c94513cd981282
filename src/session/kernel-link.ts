import type { Duplex } from "node:stream";
import { GloveboxError } from "../errors.ts";
import { encodeFrame, FrameDecoder } from "../protocol/frames.ts";
import {
  type HostMessage,
  type KernelMessage,
  parseKernelMessage,
  type Walls,
} from "../protocol/messages.ts";

export interface Reply {
  readonly value: Record<string, unknown>;
  readonly payload: Uint8Array;
}

type Unnumbered<M> = M extends { request: number } ? Omit<M, "request"> : never;
export type Request = Unnumbered<HostMessage>;
export type CellMessage = Extract<KernelMessage, { cell: number }>;

export interface LinkEvents {
  onCell(message: CellMessage, payload: Uint8Array): void;
  onLost(error: GloveboxError): void;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: GloveboxError): void;
}

const FAILURE_CODES = new Set([
  "usage",
  "file-name",
  "file-missing",
  "file-kind",
  "file-too-large",
  "variables",
]);

/** One kernel's stream: what comes out of it is checked, and can hurt only its own session. */
export class KernelLink {
  readonly walls: Promise<Walls>;
  readonly #stream: Duplex;
  readonly #events: LinkEvents;
  readonly #decoder = new FrameDecoder();
  readonly #waiting = new Map<number, Waiting>();
  readonly #opened = Promise.withResolvers<Walls>();
  #nextRequest = 1;
  #lost: GloveboxError | undefined;

  constructor(stream: Duplex, events: LinkEvents) {
    this.#stream = stream;
    this.#events = events;
    this.walls = this.#opened.promise;
    this.walls.catch(() => {});
    stream.on("data", (data: Buffer) => this.#receive(data));
    stream.on("error", (cause) => this.#lose("Its connection broke", cause));
    stream.on("close", () => this.#lose("It ended"));
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  send(message: HostMessage, payload?: Uint8Array): void {
    if (this.#lost) throw this.#lost;
    this.#stream.write(encodeFrame(message, payload));
  }

  async request(message: Request, payload?: Uint8Array): Promise<Reply> {
    if (this.#lost) throw this.#lost;
    const request = this.#nextRequest++;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.#waiting.set(request, { resolve, reject });
    this.send({ ...message, request } as HostMessage, payload);
    return promise;
  }

  close(): void {
    this.#lose("The session was closed");
  }

  #receive(data: Buffer): void {
    try {
      for (const frame of this.#decoder.feed(data)) {
        if (this.#lost) return;
        this.#dispatch(parseKernelMessage(frame), frame.payload);
      }
    } catch (error) {
      this.#lose("It broke the protocol", error);
    }
  }

  #dispatch(message: KernelMessage, payload: Uint8Array): void {
    switch (message.type) {
      case "ready":
        this.#opened.resolve(message.walls);
        break;
      case "refused":
        this.#refuse(message.message);
        break;
      case "reply":
        this.#settle(message.request).resolve({ value: message.value, payload });
        break;
      case "failed":
        this.#settle(message.request).reject(new GloveboxError(failureCode(message.code), message.message));
        break;
      default:
        this.#events.onCell(message, payload);
    }
  }

  #settle(request: number): Waiting {
    const waiting = this.#waiting.get(request);
    if (!waiting)
      throw new GloveboxError(
        "kernel-protocol",
        `The kernel answered request ${request}, which nobody made.`,
      );
    this.#waiting.delete(request);
    return waiting;
  }

  #refuse(reason: string): void {
    const error = new GloveboxError(
      "sandbox-unavailable",
      `The sandbox refused the session: ${reason}. Run "glovebox doctor" to see what is missing.`,
    );
    this.#opened.reject(error);
    this.#lose(reason, error);
  }

  #lose(why: string, cause?: unknown): void {
    if (this.#lost) return;
    this.#lost = new GloveboxError("kernel-lost", `The session's kernel is gone. ${why}.`, { cause });
    this.#stream.destroy();
    this.#opened.reject(this.#lost);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#lost);
    this.#waiting.clear();
    this.#events.onLost(this.#lost);
  }
}

function failureCode(code: string): GloveboxError["code"] {
  return FAILURE_CODES.has(code) ? (code as GloveboxError["code"]) : "kernel-protocol";
}
