import type { Context } from "hono";
import type { ServerEnv } from "../server-parts.ts";

/** Calls back when the client goes before it is answered. */
export function whenGone(c: Context<ServerEnv>, gone: () => void): Disposable {
  const { signal } = c.req.raw;
  signal.addEventListener("abort", gone, { once: true });
  if (signal.aborted) gone();
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", gone) };
}
