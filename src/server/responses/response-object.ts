import type { Usage } from "../../protocol/usage.ts";
import type { WireItem } from "../../store/kept-item.ts";
import type { CreateResponse, RequestTool } from "./request.ts";

export type ResponseStatus = "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

export interface ResponseError {
  readonly code: string;
  readonly message: string;
}

/** Where a response stands. */
export interface ResponseState {
  readonly status: ResponseStatus;
  readonly error?: ResponseError;
  readonly incomplete?: string;
  readonly usage?: Usage;
  readonly completedMs?: number;
}

export interface ResponseHead {
  readonly id: string;
  readonly createdMs: number;
  readonly model: string;
  readonly request: CreateResponse;
}

export type ResponseObject = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly status: ResponseStatus;
  readonly output: readonly WireItem[];
};

/** The response object without its output, as it is kept and sent. */
export function responseBody({ id, createdMs, model, request }: ResponseHead, state: ResponseState) {
  const { status, error, incomplete, usage, completedMs } = state;
  const { text, reasoning } = request;
  return {
    id,
    object: "response",
    created_at: seconds(createdMs),
    status,
    background: request.background ?? false,
    completed_at: completedMs === undefined ? null : seconds(completedMs),
    error: error ?? null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    ...(request.conversation ? { conversation: { id: request.conversation } } : {}),
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: "default",
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    text: { format: text?.format ?? { type: "text" }, verbosity: text?.verbosity ?? "medium" },
    tool_choice: request.tool_choice ?? "auto",
    tools: (request.tools ?? []).map(shownTool),
    top_logprobs: 0,
    top_p: request.top_p ?? 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    truncation: request.truncation ?? "disabled",
    usage: usage ? wireUsage(usage) : null,
    ...(request.user ? { user: request.user } : {}),
    metadata: request.metadata ?? {},
    access_programs: null,
  };
}

export function responseObject(
  body: Readonly<Record<string, unknown>>,
  output: readonly WireItem[],
): ResponseObject {
  const { error, incomplete_details, instructions, ...rest } = body;
  return { ...rest, error, incomplete_details, instructions, output } as unknown as ResponseObject;
}

/** The event that ends the stream of a response; of one that was cancelled there is no word of its own. */
export function endEvent(status: unknown): string {
  return `response.${status === "completed" || status === "failed" ? status : "incomplete"}`;
}

export function wireUsage(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: usage.input_tokens,
    input_tokens_details: { cached_tokens: usage.input_tokens_details.cached_tokens, cache_write_tokens: 0 },
    output_tokens: usage.output_tokens,
    output_tokens_details: usage.output_tokens_details,
    total_tokens: usage.total_tokens,
  };
}

function shownTool(tool: RequestTool): object {
  if (tool.type === "code_interpreter") return tool;
  const { name, description, parameters, strict } = tool;
  return {
    type: "function",
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
  };
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
