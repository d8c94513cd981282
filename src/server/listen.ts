import { createServer, type Server as HttpServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { GloveboxError } from "../errors.ts";
import type { ServerConfig } from "./server-config.ts";
import type { ServerEnv } from "./server-parts.ts";
import { endStalledConnections } from "./stalled-connections.ts";
import { WireError } from "./wire-error.ts";

export interface Listening {
  readonly url: string;
  readonly server: HttpServer;
}

const CHECK_MS = 1_000;
const FULL = new WireError({
  status: 503,
  message: "The server has as many connections as it takes; try again.",
  code: "too_many_connections",
  headers: { "retry-after": "2", connection: "close" },
});

/** The app on a socket, with bounds on what a client may take of the server's time and memory. */
export async function listen(app: Hono<ServerEnv>, config: ServerConfig): Promise<Listening> {
  const { limits } = config;
  const server = createServer({
    headersTimeout: limits.headersMs,
    // A large file may take its time, as long as it moves.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
  });
  // Of HTTP/1.0, which some health checks speak, a request may name no host; no page sends such a one.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: "localhost" });
  server.on("request", boundConnections(server, limits.connections, listener));
  const stalled = endStalledConnections(server, limits.stalledMs);
  server.on("close", () => stalled[Symbol.dispose]());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, config)));
    server.listen({ host: config.host.replace(/^\[|\]$/g, ""), port: config.port }, resolve);
  });
  server.on("error", () => {});
  const { address, port, family } = server.address() as AddressInfo;
  return { url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`, server };
}

/** One too many is told so; many too many are not even that. */
function boundConnections(server: HttpServer, most: number, listener: RequestListener): RequestListener {
  let open = 0;
  const tooMany = new WeakSet<Socket>();
  server.maxConnections = most * 2;
  server.on("connection", (socket: Socket) => {
    open += 1;
    if (open > most) tooMany.add(socket);
    socket.once("close", () => {
      open -= 1;
    });
  });
  return (request, response) => {
    if (!tooMany.has(request.socket)) return listener(request, response);
    response.writeHead(FULL.status, { ...FULL.headers, "content-type": "application/json" });
    return response.end(JSON.stringify(FULL.body));
  };
}

function explain(error: NodeJS.ErrnoException, { host, port }: ServerConfig): GloveboxError {
  const reason = () => {
    switch (error.code) {
      case "EADDRINUSE":
        return `Port ${port} of ${host} is taken; choose another one with --port, or 0 for any that is free.`;
      case "EACCES":
        return `Port ${port} needs rights that this user does not have; choose one above 1023 with --port.`;
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
      case "EAI_AGAIN":
        return `"${host}" is no address of this machine; use 127.0.0.1, or 0.0.0.0 for all of its addresses.`;
      default:
        return `The server cannot listen on ${host}, port ${port}: ${error.message}.`;
    }
  };
  return new GloveboxError("usage", reason(), { cause: error });
}
