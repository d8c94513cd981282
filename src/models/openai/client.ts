import type { OpenAI } from "openai";
import type { Access } from "../access.ts";
import type { Trouble } from "../model-failure.ts";
import type { WatchedFetch } from "../watched-fetch.ts";

/** Longer than any stall that we allow, which is noticed elsewhere. */
const NEVER_MS = 3_600_000;

/** The official client for one request. Time limits and second tries are ours, in one place for all providers. */
export async function openClient(access: Access, watch: WatchedFetch): Promise<OpenAI> {
  const openai = await import("openai");
  return new openai.OpenAI({
    // Servers without keys get a word that is none; the client insists on one.
    apiKey: access.apiKey ?? "none",
    adminAPIKey: null,
    baseURL: access.baseUrl ?? null,
    // What the environment says of OpenAI is meant for OpenAI alone.
    ...(access.provider.ownDialect ? {} : { organization: null, project: null }),
    defaultHeaders: access.headers,
    fetch: watch.fetch,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  });
}

interface ApiError {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message: string;
  readonly headers?: { get?(name: string): string | null };
}

/** What an error of the official package means; connection errors are for the transport to tell. */
export function troubleOfOpenAI(error: unknown): Trouble | undefined {
  if (error instanceof SyntaxError) return { kind: "protocol", detail: error.message };
  if (!(error instanceof Error) || !("requestID" in error) || error.cause !== undefined) return undefined;
  const { status, code, type, message, headers } = error as ApiError;
  if (typeof status !== "number" && !("error" in error && error.error)) return undefined;
  const told = typeof code === "string" ? code : typeof type === "string" ? type : undefined;
  return {
    kind: "answered",
    status: typeof status === "number" ? status : statusOfCode(code ?? type),
    said: message.replace(/^\d{3} /, ""),
    code: told,
    header: (name) => headers?.get?.(name),
  };
}

/** The status that an error inside a stream would have had as an answer. */
export function statusOfCode(code: unknown): number {
  if (typeof code === "number") return code;
  const text = String(code ?? "");
  if (/rate_limit|overloaded|too_many/.test(text)) return 429;
  if (/quota/.test(text)) return 429;
  if (/invalid|unsupported|bad_request|context_length|content_filter|image_/.test(text)) return 400;
  if (/auth|permission/.test(text)) return 401;
  if (/not_found/.test(text)) return 404;
  return 500;
}
