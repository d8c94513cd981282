import { type Item, textOf } from "../protocol/items.ts";
import type { Redact } from "./redact.ts";

interface Part {
  readonly type: "text" | "tool_call" | "tool_call_response";
  readonly [field: string]: unknown;
}

/** A message as the GenAI conventions write it. */
export interface SpanMessage {
  readonly role: string;
  readonly parts: Part[];
  readonly finish_reason?: string;
}

const MOST_CHARACTERS = 32 * 1024;
const CAPTURED = new Set(["true", "span_only", "span_and_event"]);

/** Whether the user wants what was said in the spans, too. By default it is not. */
export function isContentWanted(env: NodeJS.ProcessEnv): boolean {
  return CAPTURED.has(env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() ?? "");
}

export function cleanText(text: string, redact: Redact): string {
  const told = redact(text);
  if (told.length <= MOST_CHARACTERS) return told;
  return `${told.slice(0, MOST_CHARACTERS).toWellFormed()}… ${told.length - MOST_CHARACTERS} characters cut`;
}

/** Items without words of their own are left out. */
export function messageOf(item: Item, redact: Redact): SpanMessage | undefined {
  switch (item.type) {
    case "message":
      return {
        role: item.role,
        parts: [{ type: "text", content: cleanText(textOf(item.content), redact) }],
      };
    case "function_call":
      return {
        role: "assistant",
        parts: [
          {
            type: "tool_call",
            id: item.call_id,
            name: item.name,
            arguments: cleanText(item.arguments, redact),
          },
        ],
      };
    case "function_call_output":
      return {
        role: "tool",
        parts: [
          {
            type: "tool_call_response",
            id: item.call_id,
            response: cleanText(textOf(item.output), redact),
          },
        ],
      };
    default:
      return undefined;
  }
}

/** What a model said in one step is one message. */
export function outputMessage(said: readonly SpanMessage[], finishReason: string): SpanMessage[] {
  if (said.length === 0) return [];
  return [{ role: "assistant", parts: said.flatMap(({ parts }) => parts), finish_reason: finishReason }];
}
