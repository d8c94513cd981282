import type { Item } from "../protocol/items.ts";
import type { JsonSchema, ToolChoice, ToolSpec } from "../protocol/tool-specs.ts";
import type { Usage } from "../protocol/usage.ts";

export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: string;
}

export interface TextFormat {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly strict?: boolean;
  readonly description?: string;
}

export interface ModelRequest extends ModelSettings {
  readonly instructions: string;
  /** Every call in it has its output. */
  readonly input: readonly Item[];
  readonly tools: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  /** The shape of the final message. */
  readonly textFormat?: TextFormat;
  readonly signal: AbortSignal;
}

export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter";

/** What a model says, while it says it. Deltas are for watching; only items count. */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "call-start"; readonly callId: string; readonly name: string }
  | { readonly type: "call-delta"; readonly callId: string; readonly delta: string }
  | { readonly type: "item"; readonly item: Item }
  | {
      readonly type: "finish";
      readonly reason: FinishReason;
      /** Absent where the provider does not count. */
      readonly usage?: Usage;
      readonly requestId?: string;
    };

/** Whoever thinks. One request is one step of a turn; a failure is a GloveboxError whose code begins with "model-". */
export interface Model {
  /** As the user wrote it: `provider/model`. */
  readonly name: string;
  readonly provider: string;
  /** Ends after its `finish`. Aborting the request's signal ends it with an "aborted" error. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
