import { GloveboxError } from "../errors.ts";

/** The same events, but ended at once by the signal, whether or not their source listens to it. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const events = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const stop = () => aborted.reject(new GloveboxError("aborted", "Stopped."));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const next = await Promise.race([events.next(), aborted.promise]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not waited for: a source that hangs would hang here too.
    events.return?.().catch(() => {});
  }
}
