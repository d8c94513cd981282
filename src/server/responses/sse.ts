/** One server-sent event, whole. */
export function sseText(data: unknown, name?: string): string {
  const body = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${body}\n\n`;
}

export interface SseOptions {
  /** Silence after which a comment is sent, so that nobody on the way takes the connection for dead. */
  readonly keepaliveMs: number;
  /** Called when the client has gone before the end. */
  readonly onGone: () => void;
}

const KEEPALIVE = ": keepalive\n\n";
export const KEEPALIVE_MS = 15_000;

/** Writes each text as one chunk; some clients lose an event that is split between two. */
export function sseResponse(texts: AsyncIterator<string>, options: SseOptions): Response {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      next ??= texts.next();
      const { timer, silence } = silenceOf(options.keepaliveMs);
      try {
        const told = await Promise.race([next, silence]);
        if (told === undefined) return controller.enqueue(encoder.encode(KEEPALIVE));
        next = undefined;
        if (told.done) controller.close();
        else controller.enqueue(encoder.encode(told.value));
      } finally {
        clearTimeout(timer);
      }
    },
    async cancel() {
      options.onGone();
      await texts.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

function silenceOf(ms: number): { timer: NodeJS.Timeout; silence: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { timer: setTimeout(() => resolve(undefined), ms), silence: promise };
}
