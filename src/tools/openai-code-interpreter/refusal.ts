import { z } from "zod";
import { type ErrorCode, GloveboxError } from "../../errors.ts";

/** What the official client throws; told by its shape, for a caller's client may be of another copy of the package. */
const Refused = z.object({
  status: z.number().optional(),
  message: z.string(),
  code: z.string().nullish(),
  requestID: z.string().nullish(),
});

export interface RefusalContext {
  /** What was asked for: "The container cntr_1 cannot be read". */
  readonly what: string;
  readonly containerId?: string;
  /** What a refusal without a meaning of its own is. */
  readonly code?: ErrorCode;
  readonly signal?: AbortSignal | undefined;
}

const EXPIRED =
  /container (?:is|has) expired|container not found|expected container_id|container .*does not exist/i;
const FILTERED = new Set(["content_filter", "content_policy_violation"]);
const MAX_SAID = 500;

/** Runs a request; what it throws is an error of ours with the fix in it. */
export async function asking<T>(context: RefusalContext, request: () => PromiseLike<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw explainRefusal(error, context);
  }
}

export function explainRefusal(error: unknown, context: RefusalContext): GloveboxError {
  const ours = ownError(error);
  if (ours) return ours;
  const { what } = context;
  if (context.signal?.aborted)
    return new GloveboxError("aborted", `${what}: it was cancelled.`, { cause: error });
  const parsed = Refused.safeParse(fieldsOf(error));
  const { status, message, code, requestID } = parsed.success ? parsed.data : { message: String(error) };
  const said = `${message.slice(0, MAX_SAID).toWellFormed()}${requestID ? ` (request ${requestID})` : ""}`;
  const problem = (kind: ErrorCode, fix: string) =>
    new GloveboxError(kind, `${what}: ${said}${/[.)!?]$/.test(said) ? "" : "."} ${fix}`, { cause: error });
  if (isExpired(status, message)) return expiredError(context.containerId, error);
  if (code && FILTERED.has(code)) {
    return problem("content-filtered", "OpenAI's content filter stopped the request; say it in other words.");
  }
  if (status === undefined) return problem("model-unreachable", "Check the network and OPENAI_BASE_URL.");
  if (status === 401 || status === 403)
    return problem("model-refused", "Check OPENAI_API_KEY and what it may use.");
  if (status === 429 || status >= 500) return problem("model-unreachable", "Try again later.");
  return problem(
    context.code ?? "provider-tool",
    "Change what is asked for; OpenAI's words say what is wrong.",
  );
}

export function expiredError(containerId: string | undefined, cause?: unknown): GloveboxError {
  return new GloveboxError(
    "container-expired",
    `The container ${containerId ?? "of an earlier call"} has expired and its files are gone: OpenAI ends one after about 20 minutes without use. Make a new one with createContainer, or set onExpired: "new".`,
    { cause },
  );
}

/** An error of ours that the client has wrapped, such as one from a file that it was reading. */
function ownError(error: unknown): GloveboxError | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (cause instanceof GloveboxError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

function isExpired(status: number | undefined, message: string): boolean {
  return (
    (status === undefined || status === 400 || status === 404) && EXPIRED.test(message.slice(0, MAX_SAID))
  );
}

function fieldsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const { status, code, requestID } = error as Error & Record<string, unknown>;
  return { message: error.message, status, code, requestID };
}
