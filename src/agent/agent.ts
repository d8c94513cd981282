import type { Conversation } from "../history/conversation.ts";
import type { Model, ModelSettings, TextFormat } from "../models/model.ts";
import type { AgentEvent, TurnEnding } from "../protocol/events.ts";
import { type Item, userMessage } from "../protocol/items.ts";
import type { CellResult } from "../protocol/result.ts";
import type { ToolChoice } from "../protocol/tool-specs.ts";
import type { Usage } from "../protocol/usage.ts";
import type { Session } from "../session/session.ts";
import type { EventBus } from "../support/event-bus.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { HostedCall } from "./hosted-calls.ts";
import { type AgentLimits, resolveAgentLimits } from "./limits.ts";
import { Turn } from "./turn.ts";

export interface AgentParts {
  readonly name: string;
  readonly instructions: string;
  readonly model: Model;
  readonly tools: ToolRegistry;
  /** Where there is none, the tools bring their own. */
  readonly session?: Session;
  readonly conversation: Conversation;
  readonly limits?: Partial<AgentLimits>;
  readonly settings?: ModelSettings;
  /** Hears every event of every turn. */
  readonly events?: EventBus<AgentEvent>;
  readonly onLog?: (line: string) => void;
}

export interface AskOptions {
  /** Stops the model and the running cell; the conversation can go on. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
  /** For the first step; after it the model chooses. */
  readonly toolChoice?: ToolChoice;
  readonly textFormat?: TextFormat;
  /** False lets the model call one tool a step; further calls of the step are not heard. */
  readonly parallelToolCalls?: boolean;
  /** What the model may say in the whole turn, its reasoning and calls included. */
  readonly maxOutputTokens?: number;
}

/** A cell that was run for a turn. */
export interface TurnCell {
  readonly code: string;
  readonly intent?: string;
  readonly result: CellResult;
}

export interface TurnResult {
  readonly reason: TurnEnding;
  readonly answer: string;
  readonly model: string;
  /** Empty where the agent has none of its own. */
  readonly session: string;
  readonly conversation: string;
  readonly cells: readonly TurnCell[];
  /** Made or changed by the cells, the last state of each. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** What tools that the provider runs itself came to. */
  readonly hosted: readonly HostedCall[];
  readonly usage: Usage;
  /** What the turn added to the conversation. */
  readonly items: readonly Item[];
}

/** Instructions, a model and tools. It works on one turn at a time; a turn goes from a question to its answer. */
export class Agent {
  readonly #parts: AgentParts;
  readonly #limits: AgentLimits;
  #model: Model;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(parts: AgentParts) {
    parts.tools.checkProvider(parts.model.provider);
    this.#parts = parts;
    this.#limits = resolveAgentLimits(parts.limits ?? {});
    this.#model = parts.model;
  }

  get name(): string {
    return this.#parts.name;
  }

  get model(): Model {
    return this.#model;
  }

  get conversation(): Conversation {
    return this.#parts.conversation;
  }

  /** From the next turn on; what was said so far is told to the new model. */
  useModel(model: Model): void {
    this.#parts.tools.checkProvider(model.provider);
    this.#model = model;
  }

  /**
   * Works until there is an answer, a limit is met or the signal stops it; all three are results. A model that cannot be
   * reached is an error, and the question stays in the conversation.
   */
  ask(input: string | readonly Item[], options: AskOptions = {}): Promise<TurnResult> {
    const items = typeof input === "string" ? [userMessage(input)] : input;
    const result = this.#turns.then(() =>
      new Turn({ ...this.#parts, model: this.#model, limits: this.#limits }, options).run(items),
    );
    this.#turns = result.catch(() => {});
    return result;
  }
}
