import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GloveboxError } from "../../errors.ts";
import { encodeFrame } from "../../protocol/frames.ts";
import type { KernelShape, Sandbox } from "../sandbox.ts";
import { Zygote, type ZygoteOptions } from "./zygote.ts";

/** Kernels behind namespaces on this very machine, forked from one warm zygote. */
export class LocalSandbox implements Sandbox {
  readonly name = "local";
  readonly #options: ZygoteOptions;
  #zygote: Promise<Zygote> | undefined;
  #closed = false;

  constructor(options: ZygoteOptions) {
    this.#options = options;
  }

  /** Starts the zygote ahead of the first session; throws when the walls cannot be raised. */
  async warm(): Promise<void> {
    await this.#ready();
  }

  async open(shape: KernelShape, signal?: AbortSignal): Promise<Duplex> {
    signal?.throwIfAborted();
    const zygote = await this.#ready();
    const socket = connect(zygote.socketPath);
    await connected(socket, signal);
    socket.write(encodeFrame({ type: "open", ...shape }));
    return socket;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const zygote = await this.#zygote?.catch(() => undefined);
    await zygote?.stop();
  }

  async #ready(): Promise<Zygote> {
    for (;;) {
      if (this.#closed) {
        throw new GloveboxError("sandbox-unavailable", "This Glovebox is closed; open another one.");
      }
      this.#zygote ??= Zygote.start(this.#options);
      const current = this.#zygote;
      const zygote = await current.catch((error) => {
        if (this.#zygote === current) this.#zygote = undefined;
        throw error;
      });
      if (zygote.alive) return zygote;
      // A zygote that died is replaced, once; sessions that it forked live on.
      if (this.#zygote === current) this.#zygote = undefined;
      await zygote.stop();
    }
  }
}

async function connected(socket: Socket, signal: AbortSignal | undefined): Promise<void> {
  try {
    await once(socket, "connect", signal ? { signal } : {});
  } catch (cause) {
    socket.destroy();
    throw new GloveboxError(
      "sandbox-unavailable",
      "The local sandbox did not take the connection; try again.",
      {
        cause,
      },
    );
  }
}
