import type { Context, MiddlewareHandler } from "hono";
import type { ServerConfig } from "./server-config.ts";
import type { ServerEnv } from "./server-parts.ts";
import { WireError } from "./wire-error.ts";

const DAY_SECONDS = "86400";
const METHODS = "GET, POST, DELETE, OPTIONS";
const EXPOSED = "x-request-id, retry-after, content-disposition, mcp-session-id";

/** Scripts of pages may call us only from our own origin and from those that are allowed. */
export function originCheck(config: ServerConfig): MiddlewareHandler<ServerEnv> {
  const allowed = new Set<string>(config.allowOrigins);
  return async (c, next) => {
    const origin = c.req.header("origin");
    if (origin === undefined || isOwn(c, origin)) return next();
    if (!allowed.has("*") && !allowed.has(origin)) {
      throw new WireError({
        status: 403,
        message: `Pages of '${origin.slice(0, 100)}' may not call this server; whoever runs it can allow them with --allow-origin.`,
        code: "origin_not_allowed",
      });
    }
    if (c.req.method === "OPTIONS" && c.req.header("access-control-request-method")) {
      return c.body(null, 204, {
        ...granted(origin),
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": c.req.header("access-control-request-headers") ?? "*",
        "access-control-max-age": DAY_SECONDS,
      });
    }
    // An error too is the page's to read.
    for (const [name, value] of Object.entries(granted(origin))) c.header(name, value);
    return next();
  };
}

function granted(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED,
    vary: "Origin",
  };
}

function isOwn(c: Context<ServerEnv>, origin: string): boolean {
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
