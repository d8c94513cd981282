import type { FinishReason, TextFormat } from "../../models/model.ts";
import type { FileCitation, Item } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import type { EventBus, Listener } from "../../support/event-bus.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import type { ProviderOptions } from "./client.ts";
import type { CodeRun } from "./code-run.ts";
import type { MemoryTier } from "./container-config.ts";
import type { HostFolders, ProjectedFile } from "./hosted-container.ts";
import type { HostedEvent } from "./hosted-events.ts";
import type { OpenAICodeInterpreterTool } from "./tool.ts";

export interface HostedRunOptions extends ProviderOptions, HostFolders {
  readonly tool: OpenAICodeInterpreterTool;
  readonly model: string;
  readonly input: string | readonly Item[];
  readonly instructions?: string;
  /** "auto" lets the model choose; the other two force the code interpreter. */
  readonly toolChoice?: "auto" | "required" | { readonly type: "code_interpreter" };
  /** The shape of the answer, beside the tool. */
  readonly textFormat?: TextFormat;
  readonly maxOutputTokens?: number;
  /** Goes on where an earlier response ended, in its container. */
  readonly previousResponseId?: string;
  /** What to do when the container has expired: an error unless told. */
  readonly onExpired?: "error" | "new";
  /** Whether a filtered answer is an error; it is one unless told where the tool or a shape was demanded. */
  readonly requireOutput?: boolean;
  /** For the tool's own handler of provider output. */
  readonly context?: ToolContext;
  readonly events?: EventBus<HostedEvent>;
  readonly onEvent?: Listener<HostedEvent>;
}

export interface HostedRun {
  readonly text: string;
  readonly toolResults: readonly ToolResult<CodeRun>[];
  readonly citations: readonly FileCitation[];
  readonly finishReason: FinishReason;
  readonly responseId: string;
  readonly requestId?: string;
  readonly model: string;
  readonly containerId?: string;
  readonly memoryTier: MemoryTier;
  readonly usage: Usage;
  /** The answer as JSON, where a text format was given and the answer is whole. */
  readonly parsed?: unknown;
  /** What was copied into the container for this run. */
  readonly files: readonly ProjectedFile[];
  /** The tool on the container that was used, for the next run. */
  readonly tool: OpenAICodeInterpreterTool;
  readonly items: readonly Item[];
}
