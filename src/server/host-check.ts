import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { isLoopback, type ServerConfig } from "./server-config.ts";
import type { ServerEnv } from "./server-parts.ts";
import { WireError } from "./wire-error.ts";

/**
 * A page can give its own name our address, and then calls us as if it were ours; the Host header tells. Where every
 * request needs a key, such a page gains nothing.
 */
export function hostCheck(config: ServerConfig): MiddlewareHandler<ServerEnv> {
  const allowed = new Set(config.allowHosts.map((host) => host.toLowerCase()));
  const open = !isLoopback(config.host) && allowed.size === 0;
  return async (c, next) => {
    const host = nameIn(c.req.header("host") ?? new URL(c.req.url).host);
    if (!open && !isOurs(host) && !allowed.has(host)) {
      throw new WireError({
        status: 403,
        message: `This server does not answer to the host '${host.slice(0, 100)}'; whoever runs it can allow it with --allow-host.`,
        code: "host_not_allowed",
      });
    }
    await next();
  };
}

/** No page can have an address for its name, or localhost. */
function isOurs(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isIP(host) !== 0;
}

/** The host without its port and brackets. */
function nameIn(header: string): string {
  const name = /^\[([^\]]*)\]/.exec(header)?.[1] ?? header.replace(/:\d*$/, "");
  return name.toLowerCase().replace(/\.$/, "");
}
