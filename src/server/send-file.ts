import { Readable } from "node:stream";
import type { Context } from "hono";
import type { ServerEnv } from "./server-parts.ts";

export interface SentFile {
  readonly filename: string;
  readonly size: number;
  readonly bytes: Readable;
}

/** Streams a file as fast as the client takes it. No browser is to show it as a page of ours. */
export function sendFile(c: Context<ServerEnv>, { filename, size, bytes }: SentFile): Response {
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(size),
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, escaped)}`,
    "cache-control": "private, no-store",
  };
  if (c.req.method === "HEAD") {
    bytes.destroy();
    return c.body(null, 200, headers);
  }
  return c.body(Readable.toWeb(bytes) as ReadableStream, 200, headers);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
