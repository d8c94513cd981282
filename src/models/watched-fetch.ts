const MOST_BYTES = 64 << 20;
const TAIL = 64;

type Fetch = typeof globalThis.fetch;

/** One request as its bytes come in: notices when they stop, when there are far too many, and how they end. */
export class WatchedFetch implements Disposable {
  /** Aborts with the request, or when nothing has come for too long. */
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #abort = new AbortController();
  #bytes = 0;
  #tail = "";
  #stalled = false;
  #movedTo: string | undefined;
  #contentType: string | undefined;

  constructor({ signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }) {
    this.signal = AbortSignal.any([signal, this.#abort.signal]);
    this.#timeoutMs = timeoutMs;
    this.fetch = (input, init) => this.#fetch(input, init);
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  /** Where the server sent us, which is not followed: key and question are for the address that was given. */
  get movedTo(): string | undefined {
    return this.#movedTo;
  }

  get tooLong(): boolean {
    return this.#bytes > MOST_BYTES;
  }

  /** What came instead of a stream of events, if anything else did. */
  get otherContent(): string | undefined {
    const type = this.#contentType;
    return type === undefined || type.startsWith("text/event-stream") ? undefined : type;
  }

  /** Whether the stream said that it was at its end. */
  get saidDone(): boolean {
    return /data:\s*\[DONE\]\s*$/.test(this.#tail);
  }

  [Symbol.dispose](): void {
    this.#abort.abort();
  }

  async #fetch(input: Parameters<Fetch>[0], init?: RequestInit): Promise<Response> {
    const signal = init?.signal ? AbortSignal.any([init.signal, this.signal]) : this.signal;
    const response = await this.#within(globalThis.fetch(input, { ...init, signal, redirect: "manual" }));
    const location = response.headers.get("location");
    if (location !== null && response.status >= 300 && response.status < 400) {
      this.#movedTo = originOf(location, response.url);
      throw new Error("redirected");
    }
    if (response.ok) this.#contentType = response.headers.get("content-type")?.toLowerCase();
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(this.#watched(response.body), { status, statusText, headers });
  }

  /** The same bytes, read only when somebody wants them: a slow reader is not taken for a slow server. */
  #watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await this.#within(reader.read());
          if (done) return controller.close();
          this.#bytes += value.byteLength;
          if (this.tooLong) throw new Error(`more than ${MOST_BYTES} bytes`);
          this.#tail = (this.#tail + decoder.decode(value.subarray(-TAIL), { stream: true })).slice(-TAIL);
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async #within<Got>(waiting: Promise<Got>): Promise<Got> {
    const timer = setTimeout(() => {
      this.#stalled = true;
      this.#abort.abort();
    }, this.#timeoutMs);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
    }
  }
}

function originOf(location: string, from: string): string {
  return URL.parse(location, from)?.origin ?? "nowhere";
}
