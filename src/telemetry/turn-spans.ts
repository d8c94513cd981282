import type * as OpenTelemetry from "@opentelemetry/api";
import type { AgentEvent } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type { Usage } from "../protocol/usage.ts";
import type { Redact } from "./redact.ts";
import { cleanText, messageOf, outputMessage, type SpanMessage } from "./span-content.ts";

export interface TurnSpansParts {
  readonly api: typeof OpenTelemetry;
  readonly tracer: OpenTelemetry.Tracer;
  readonly start: Extract<AgentEvent, { type: "turn-start" }>;
  readonly withContent: boolean;
  readonly redact: Redact;
}

interface OpenChat {
  readonly span: OpenTelemetry.Span;
  readonly startedMs: number;
  readonly said: SpanMessage[];
  calls: boolean;
  heard: boolean;
  /** When the model had finished; what follows is the tools' time. */
  endedMs?: number;
}

/** Names of the conventions where they differ from ours. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
  bedrock: "aws.bedrock",
  azure: "azure.ai.openai",
};
const OFFLINE = "offline";

/** The spans of one turn: `invoke_agent`, and below it a `chat` for every step and an `execute_tool` for every call. */
export class TurnSpans {
  readonly #parts: TurnSpansParts;
  readonly #agent: OpenTelemetry.Span;
  readonly #below: OpenTelemetry.Context;
  readonly #tools = new Map<string, OpenTelemetry.Span>();
  readonly #arguments = new Map<string, string>();
  readonly #messages: SpanMessage[] = [];
  readonly #common: OpenTelemetry.Attributes;
  #chat: OpenChat | undefined;

  constructor(parts: TurnSpansParts) {
    this.#parts = parts;
    const { api, tracer, start } = parts;
    this.#common = {
      "gen_ai.provider.name": PROVIDERS[start.provider] ?? start.provider,
      "gen_ai.request.model": modelName(start),
      "gen_ai.agent.name": start.agent,
      "gen_ai.conversation.id": start.conversation,
    };
    this.#agent = tracer.startSpan(`invoke_agent ${start.agent}`, {
      kind: api.SpanKind.INTERNAL,
      attributes: { "gen_ai.operation.name": "invoke_agent", ...this.#common },
    });
    this.#below = api.trace.setSpan(api.context.active(), this.#agent);
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "step-start":
        this.#startChat();
        break;
      case "text-delta":
      case "reasoning-delta":
      case "call-start":
        this.#hear();
        break;
      case "item":
        this.#keep(event.item);
        break;
      case "usage":
        this.#count(event.usage, event.requestId);
        break;
      case "tool-start":
        this.#endChat();
        this.#startTool(event.callId, event.tool);
        break;
      case "tool-end":
        this.#endTool(event);
        break;
      case "turn-end":
        this.#end(event);
    }
  }

  #startChat(): void {
    this.#endChat();
    const { api, tracer, start, withContent } = this.#parts;
    const span = tracer.startSpan(
      `chat ${modelName(start)}`,
      {
        kind: start.provider === OFFLINE ? api.SpanKind.INTERNAL : api.SpanKind.CLIENT,
        attributes: { "gen_ai.operation.name": "chat", ...this.#common, "gen_ai.request.stream": true },
      },
      this.#below,
    );
    if (withContent) span.setAttribute("gen_ai.input.messages", JSON.stringify(this.#messages));
    this.#chat = { span, startedMs: performance.now(), said: [], calls: false, heard: false };
  }

  #hear(): void {
    const chat = this.#chat;
    if (!chat || chat.heard) return;
    chat.heard = true;
    chat.span.setAttribute(
      "gen_ai.response.time_to_first_chunk",
      (performance.now() - chat.startedMs) / 1000,
    );
  }

  #keep(item: Item): void {
    const saying = this.#chat && this.#chat.endedMs === undefined ? this.#chat : undefined;
    if (saying && item.type === "function_call") saying.calls = true;
    if (!this.#parts.withContent) return;
    if (item.type === "function_call") this.#arguments.set(item.call_id, item.arguments);
    const message = messageOf(item, this.#parts.redact);
    if (!message) return;
    saying?.said.push(message);
    this.#messages.push(message);
  }

  #count(usage: Usage, requestId: string | undefined): void {
    const chat = this.#chat;
    if (!chat) return;
    chat.endedMs = performance.now();
    chat.span.setAttributes(usageAttributes(usage));
    if (requestId !== undefined) chat.span.setAttribute("gen_ai.response.id", requestId);
  }

  #endChat(ending?: Extract<AgentEvent, { type: "turn-end" }>): void {
    const chat = this.#chat;
    if (!chat) return;
    this.#chat = undefined;
    const reason = finishReason(chat, ending);
    chat.span.setAttribute("gen_ai.response.finish_reasons", [reason]);
    if (reason === "error") this.#fail(chat.span, errorType(ending));
    if (this.#parts.withContent) {
      chat.span.setAttribute("gen_ai.output.messages", JSON.stringify(outputMessage(chat.said, reason)));
    }
    chat.span.end(chat.endedMs);
  }

  #startTool(callId: string, tool: string): OpenTelemetry.Span {
    const { api, tracer, redact, withContent, start } = this.#parts;
    const span = tracer.startSpan(
      `execute_tool ${tool}`,
      {
        kind: api.SpanKind.INTERNAL,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": tool,
          "gen_ai.tool.call.id": callId,
          "gen_ai.tool.type": "function",
          "gen_ai.agent.name": start.agent,
          "gen_ai.conversation.id": start.conversation,
        },
      },
      this.#below,
    );
    const given = this.#arguments.get(callId);
    if (withContent && given !== undefined) {
      span.setAttribute("gen_ai.tool.call.arguments", cleanText(given, redact));
    }
    this.#tools.set(callId, span);
    return span;
  }

  /** A call that was refused before it ran has an end and no start. */
  #endTool(event: Extract<AgentEvent, { type: "tool-end" }>): void {
    this.#endChat();
    const span = this.#tools.get(event.callId) ?? this.#startTool(event.callId, event.tool);
    this.#tools.delete(event.callId);
    if (!event.success) this.#fail(span, errorName(event.output));
    if (this.#parts.withContent) {
      span.setAttribute("gen_ai.tool.call.result", cleanText(event.output, this.#parts.redact));
    }
    span.end();
  }

  #end(event: Extract<AgentEvent, { type: "turn-end" }>): void {
    this.#endChat(event);
    for (const span of this.#tools.values()) {
      this.#fail(span, errorType(event));
      span.end();
    }
    this.#tools.clear();
    this.#agent.setAttributes({ ...usageAttributes(event.usage), "glovebox.turn.ending": event.reason });
    if (event.reason === "failed") this.#fail(this.#agent, errorType(event));
    if (this.#parts.withContent) {
      const asked = this.#messages.filter(({ role }) => role === "user");
      const answer = outputMessage(
        [
          {
            role: "assistant",
            parts: [{ type: "text", content: cleanText(event.answer, this.#parts.redact) }],
          },
        ],
        "stop",
      );
      this.#agent.setAttributes({
        "gen_ai.input.messages": JSON.stringify(asked),
        "gen_ai.output.messages": JSON.stringify(answer),
      });
    }
    this.#agent.end();
  }

  #fail(span: OpenTelemetry.Span, type: string): void {
    span.setAttribute("error.type", type);
    span.setStatus({ code: this.#parts.api.SpanStatusCode.ERROR });
  }
}

/** Without the provider, which has an attribute of its own. */
function modelName({ model, provider }: { model: string; provider: string }): string {
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
}

function usageAttributes(usage: Usage): OpenTelemetry.Attributes {
  return {
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
    "gen_ai.usage.cache_read.input_tokens": usage.input_tokens_details.cached_tokens,
    "gen_ai.usage.reasoning.output_tokens": usage.output_tokens_details.reasoning_tokens,
  };
}

function finishReason(chat: OpenChat, ending: Extract<AgentEvent, { type: "turn-end" }> | undefined): string {
  if (ending?.reason === "length") return "length";
  if (ending?.reason === "content-filter") return "content_filter";
  if (chat.endedMs === undefined) return "error";
  return chat.calls ? "tool_call" : "stop";
}

function errorType(ending: Extract<AgentEvent, { type: "turn-end" }> | undefined): string {
  return ending?.error ?? ending?.reason ?? "_OTHER";
}

/** The name that the tool's output gives its error. */
function errorName(output: string): string {
  const name = /"name":"([A-Za-z_][\w.]{0,63})"/.exec(output)?.[1];
  return name ?? "_OTHER";
}
