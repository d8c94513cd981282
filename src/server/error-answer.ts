import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type ErrorCode, GloveboxError } from "../errors.ts";
import type { ServerEnv } from "./server-parts.ts";
import { isTooLongInput } from "./too-long-input.ts";
import { WireError } from "./wire-error.ts";

/** Errors of ours that are a client's to know, with their status; of the others it learns only that there was one. */
const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  usage: 400,
  "file-name": 400,
  "file-missing": 404,
  "file-kind": 400,
  "file-too-large": 413,
  variables: 400,
  "model-unknown": 404,
  "model-refused": 502,
  "model-unreachable": 502,
  "model-protocol": 502,
  "content-filtered": 400,
  "session-closed": 409,
  "kernel-lost": 500,
  "sandbox-unavailable": 503,
};

export const TOO_LONG = "context_length_exceeded";

/** What a client is told of an error, whatever it is. */
export function wireErrorOf(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const status = error instanceof GloveboxError ? STATUS[error.code] : undefined;
  if (!(error instanceof GloveboxError) || status === undefined) {
    return new WireError({
      status: 500,
      message: "The server had an error while processing your request; its log says more.",
      cause: error,
    });
  }
  if (error.code === "model-refused" && isTooLongInput(error.message)) {
    const { message } = error;
    return new WireError({ status: 400, message, code: TOO_LONG, param: "input", cause: error });
  }
  const code = error.code === "model-unknown" ? "model_not_found" : error.code.replaceAll("-", "_");
  return new WireError({ status, message: error.message, code, cause: error });
}

export function answerError(error: unknown, c: Context<ServerEnv>, onLog: (line: string) => void): Response {
  const told = wireErrorOf(error);
  // Of those who have gone nobody needs to hear.
  if (told.status >= 500 && !c.req.raw.signal.aborted)
    onLog(`${c.var.requestId} ${c.req.method} ${c.req.path}: ${detail(error)}`);
  for (const [name, value] of Object.entries(told.headers)) c.header(name, value);
  return c.json(told.body, told.status);
}

function detail(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof WireError || error instanceof GloveboxError
    ? error.message
    : (error.stack ?? error.message);
}
