import type { z } from "zod";
import type { Conversation } from "../history/conversation.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { HostedSpec } from "../protocol/tool-specs.ts";
import type { Session } from "../session/session.ts";

/** An event without whose it is; the turn adds that. */
export type ToolEvent = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, "agent" | "turn">
    : never
  : never;

/** What a call may use while it runs. */
export interface ToolContext {
  readonly callId: string;
  readonly session: Session;
  readonly conversation: Conversation;
  readonly model: { readonly name: string; readonly provider: string };
  /** When the turn must have ended, in milliseconds of `performance.now()`. */
  readonly deadline: number | undefined;
  readonly signal: AbortSignal;
  readonly emit: (event: ToolEvent) => void;
  readonly prompt: { readonly agent: string; readonly turn: string; readonly step: number };
}

export interface ToolResult<Value = unknown> {
  /** For the model: text, or an object that is sent as JSON. It is bounded later; say all there is to say. */
  readonly message: string | Readonly<Record<string, unknown>>;
  /** For programs. */
  readonly value: Value;
  readonly success: boolean;
}

/** What a model may call. Its schema is both what the model is shown and what reads its arguments. */
export interface Tool<Parameters extends z.ZodType = z.ZodType, Value = unknown> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Whether calls of it may run beside others. */
  readonly parallel?: boolean;
  /** What a person is shown of a call before it runs. */
  describe?(parameters: z.infer<Parameters>): { readonly intent?: string; readonly code?: string };
  /** An argument whose text is shown while the model writes it. */
  readonly streamed?: string;
  /** Whoever asked answers its calls: the turn ends with them, and `run` is never called. */
  readonly client?: boolean;
  /** The provider that runs it itself; a model of another provider cannot have it. */
  readonly provider?: string;
  /** How a tool that the provider runs is declared, in place of a function. */
  hosted?(): HostedSpec;
  /** What throws here is told to the model as an error, without internals; only an abort ends the turn. */
  run(parameters: z.infer<Parameters>, context: ToolContext): Promise<ToolResult<Value>>;
}

/** Ties the schema's type to `run`. */
export function tool<Parameters extends z.ZodType, Value>(
  definition: Tool<Parameters, Value>,
): Tool<Parameters, Value> {
  return definition;
}
