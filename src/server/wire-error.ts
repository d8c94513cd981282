import type { ContentfulStatusCode } from "hono/utils/http-status";

const MOST_CHARACTERS = 2000;

export interface WireErrorParts {
  readonly status: ContentfulStatusCode;
  readonly message: string;
  /** Follows from the status where none is given. */
  readonly type?: string;
  readonly code?: string | null;
  /** The field of the request that is at fault. */
  readonly param?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** OpenAI's body of an error. */
export interface WireErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** An error that a client is told. Thrown anywhere below a route, it is the answer. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly status: ContentfulStatusCode;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(parts: WireErrorParts) {
    super(bounded(parts.message), { cause: parts.cause });
    this.status = parts.status;
    this.type = parts.type ?? typeOf(parts.status);
    this.code = parts.code ?? null;
    this.param = parts.param ?? null;
    this.headers = parts.headers ?? {};
  }

  get body(): WireErrorBody {
    const { message, type, param, code } = this;
    return { error: { message, type, param, code } };
  }
}

/** Messages repeat what was sent, and that may be long. */
function bounded(message: string): string {
  return message.length <= MOST_CHARACTERS ? message : `${message.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** For an id that nobody has, and one that is somebody else's: nobody can tell them apart. */
export function notFound(what: string, id: string): WireError {
  return new WireError({ status: 404, message: `${what} with id '${id}' not found.`, code: "not_found" });
}

/** A limit of this owner's is reached; the message says which and what frees it. */
export function overLimit(message: string, retryAfterSeconds: number): WireError {
  return new WireError({
    status: 429,
    message,
    code: "rate_limit_exceeded",
    headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });
}

/** A value that we do not offer, refused by its name. */
export function unsupported(param: string, message: string): WireError {
  return new WireError({ status: 400, message, param, code: "unsupported_value" });
}
