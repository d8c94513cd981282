import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { newId } from "./ids.ts";
import type { Metrics } from "./metrics.ts";
import type { ServerEnv } from "./server-parts.ts";

/** Gives every request its id, and counts it when its answer has ended. */
export function requestLog(metrics: Metrics): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const started = performance.now();
    c.set("requestId", newId("req_"));
    await next();
    c.header("x-request-id", c.var.requestId);
    c.header("x-content-type-options", "nosniff");
    const facts = { method: methodOf(c), route: routeOf(c), status: c.res.status };
    const count = () => metrics.request({ ...facts, seconds: (performance.now() - started) / 1000 });
    const { outgoing } = c.env ?? {};
    if (outgoing) outgoing.once("close", count);
    else count();
  };
}

/** The pattern of the route that answered; what no route knows is one of its own. */
function routeOf(c: Context<ServerEnv>): string {
  const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith("*"));
  return route?.path ?? "other";
}

function methodOf(c: Context<ServerEnv>): string {
  return ["GET", "POST", "DELETE", "HEAD", "OPTIONS"].includes(c.req.method) ? c.req.method : "other";
}
