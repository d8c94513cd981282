import { Hono } from "hono";
import type { ServerEnv, ServerParts } from "../server-parts.ts";

/** Whether the server lives, and whether it is ready for work. Whoever watches it needs no key. */
export function healthRoutes(parts: ServerParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    if (parts.draining.aborted) return c.json({ status: "draining" }, 503);
    try {
      await parts.box.store.containers.count("");
      return c.json({ status: "ready" });
    } catch (error) {
      parts.onLog(`The server is not ready: ${error}`);
      return c.json({ status: "the store does not answer" }, 503);
    }
  });
  return app;
}

export function metricsRoutes({ metrics }: ServerParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/metrics", (c) =>
    c.text(metrics.text(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
  return app;
}
