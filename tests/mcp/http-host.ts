import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { after } from "node:test";
import { type McpHandlerParts, mcpHandler } from "../../src/mcp/http.ts";

/** The handler on a socket of its own. Whoever sends `x-owner` is taken for that owner. */
export async function openHttpHost(
  parts: Omit<McpHandlerParts, "version">,
): Promise<{ readonly url: URL; close(): Promise<void> }> {
  const handler = mcpHandler({ version: "1.2.3", ...parts });
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const close = async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  after(close);

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const owner = String(incoming.headers["x-owner"] ?? "local");
    const response = await handler.fetch(webRequest(incoming, outgoing, url), { owner });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (!response.body) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing);
  }

  return { url, close };
}

function webRequest(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): Request {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const hasBody = incoming.method !== "GET" && incoming.method !== "DELETE";
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Request(url, {
    method: incoming.method ?? "GET",
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
  } as RequestInit);
}
