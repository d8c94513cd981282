import { z } from "zod";
import { type ErrorCode, GloveboxError } from "../../errors.ts";

const ErrorBody = z.looseObject({
  error: z.looseObject({ message: z.string(), code: z.union([z.string(), z.number()]).nullish() }),
});

const MOST_BODY_BYTES = 64 << 10;
const MOST_MESSAGE_CHARACTERS = 2000;

/** What went wrong on the server, by the code that it tells; the words are the server's own. */
const byCode: Readonly<Record<string, ErrorCode>> = {
  model_not_found: "model-unknown",
  model_unknown: "model-unknown",
  model_refused: "model-refused",
  model_unreachable: "model-unreachable",
  model_protocol: "model-protocol",
  content_filtered: "content-filtered",
  sandbox_unavailable: "sandbox-unavailable",
};

export function told(code: string | null | undefined, message: string, status: number): GloveboxError {
  const known = byCode[code ?? ""];
  const usual = status >= 400 && status < 500 && status !== 429 ? "usage" : "model-refused";
  return new GloveboxError(known ?? usual, message.slice(0, MOST_MESSAGE_CHARACTERS));
}

/** Why an answer is none that can be used. */
export async function failureOf(response: Response, url: string, hasKey: boolean): Promise<GloveboxError> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return notOurs(url, `it leads on to ${headers.get("location") ?? "another address"}`);
  }
  const error = ErrorBody.safeParse(await bodyOf(response)).data?.error;
  if (status === 401 || status === 403) {
    const words = hasKey ? "does not take this API key; check" : "wants an API key; give it with";
    return new GloveboxError("model-refused", `${url} ${words} --api-key or GLOVEBOX_API_KEY.`);
  }
  if (!error) return notOurs(url, `it answers ${status}`);
  const failure = told(error.code === null ? null : String(error.code ?? ""), error.message, status);
  const seconds = headers.get("retry-after");
  if (status !== 429 || seconds === null || !/^\d{1,6}$/.test(seconds)) return failure;
  return new GloveboxError(failure.code, `${failure.message} Try again in ${seconds} s.`);
}

export function notOurs(url: string, why: string): GloveboxError {
  return new GloveboxError(
    "model-protocol",
    `${url} is no Glovebox server and no other that speaks OpenAI's API: ${why}. Give --server the address that "glovebox serve" prints.`,
  );
}

export function unreachable(url: string, cause: unknown): GloveboxError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message : String(inner);
  return new GloveboxError(
    "model-unreachable",
    `The server ${url} is not reached (${why || "no connection"}); check the address and that "glovebox serve" runs there.`,
    { cause },
  );
}

/** The JSON of an answer that is not too long to be an error's. */
async function bodyOf(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > MOST_BODY_BYTES) return undefined;
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return undefined;
  }
}
