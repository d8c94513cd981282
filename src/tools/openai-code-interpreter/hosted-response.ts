import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import type { FinishReason } from "../../models/model.ts";
import { Item, type MessageItem, textOf } from "../../protocol/items.ts";
import { noUsage, type Usage, usageOf } from "../../protocol/usage.ts";

const Wire = z.object({
  id: z.string().min(1),
  model: z.string(),
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string() }).nullish(),
  output: z.array(z.unknown()),
  usage: z.unknown(),
  _request_id: z.string().nullish(),
});

const Count = z.int().nonnegative();
const WireUsage = z.object({
  input_tokens: Count,
  input_tokens_details: z.object({ cached_tokens: Count.nullish() }).nullish(),
  output_tokens: Count,
  output_tokens_details: z.object({ reasoning_tokens: Count.nullish() }).nullish(),
});

export interface HostedResponse {
  readonly id: string;
  readonly model: string;
  readonly requestId?: string;
  /** What is understood of the output; other providers' extras are left out. */
  readonly items: readonly Item[];
  readonly text: string;
  /** The last message alone, which is what a text format governs. */
  readonly lastText: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Set where OpenAI could not answer at all. */
  readonly failure?: { readonly code?: string; readonly message: string };
}

/** Reads a response of the Responses API; what came is never trusted to be whole. */
export function readResponse(answer: unknown): HostedResponse {
  const parsed = Wire.safeParse(answer);
  if (!parsed.success) {
    throw new GloveboxError(
      "model-protocol",
      "OpenAI's answer is not a response; check that OPENAI_BASE_URL has the Responses API.",
      { cause: parsed.error },
    );
  }
  const { data } = parsed;
  const items = data.output.flatMap(readItem);
  const messages = items.filter(
    (item) => item.type === "message" && item.role === "assistant",
  ) as MessageItem[];
  const last = messages.at(-1);
  const failed = data.status === "failed" || data.status === "cancelled";
  const code = data.error?.code;
  return {
    id: data.id,
    model: data.model,
    ...(data._request_id ? { requestId: data._request_id } : {}),
    items,
    text: messages.map((message) => textOf(message.content)).join(""),
    lastText: last ? textOf(last.content) : "",
    finishReason: finishReason(data.status, data.incomplete_details?.reason, last),
    usage: readUsage(data.usage),
    ...(failed
      ? { failure: { ...(code ? { code } : {}), message: data.error?.message ?? "No reason was given." } }
      : {}),
  };
}

function finishReason(
  status: string | null | undefined,
  reason: string | null | undefined,
  last: MessageItem | undefined,
): FinishReason {
  if (reason === "content_filter" || refuses(last)) return "content-filter";
  return status === "incomplete" ? "length" : "stop";
}

function refuses(message: MessageItem | undefined): boolean {
  return typeof message?.content === "object" && message.content.some((part) => part.type === "refusal");
}

function readUsage(given: unknown): Usage {
  const { data } = WireUsage.safeParse(given);
  if (!data) return noUsage;
  return usageOf({
    input: data.input_tokens,
    output: data.output_tokens,
    cached: data.input_tokens_details?.cached_tokens ?? 0,
    reasoning: data.output_tokens_details?.reasoning_tokens ?? 0,
  });
}

const KNOWN_PARTS = new Set(["output_text", "refusal"]);
const KNOWN_OUTPUTS = new Set(["logs", "image"]);
const Typed = z.looseObject({ type: z.string() });

/** An item without the parts that are not known here; one that is not known at all is left out. */
function readItem(given: unknown): Item[] {
  const { data } = Typed.safeParse(given);
  if (!data) return [];
  const known = {
    ...data,
    ...(data.type === "message" ? { content: only(KNOWN_PARTS, data.content) } : {}),
    ...(data.type === "code_interpreter_call" ? { outputs: only(KNOWN_OUTPUTS, data.outputs ?? null) } : {}),
  };
  const parsed = Item.safeParse(known);
  return parsed.success ? [parsed.data] : [];
}

function only(types: ReadonlySet<string>, parts: unknown): unknown {
  if (!Array.isArray(parts)) return parts;
  return parts.filter((part) => types.has(Typed.safeParse(part).data?.type ?? ""));
}
