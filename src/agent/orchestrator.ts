// step one: copy the files that were named, or let the file agent choose → step two: answer with Python
import { randomBytes } from "node:crypto";
import { GloveboxError } from "../errors.ts";
import { Conversation } from "../history/conversation.ts";
import { isFromUser } from "../history/window.ts";
import type { Model, ModelSettings } from "../models/model.ts";
import type { AgentEvent } from "../protocol/events.ts";
import { addUsage, noUsage, type Usage } from "../protocol/usage.ts";
import type { HostMount } from "../session/host-mount.ts";
import type { Session } from "../session/session.ts";
import type { EventBus } from "../support/event-bus.ts";
import { SessionCopies } from "../tools/host-files/session-copies.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Tool, ToolEvent } from "../tools/tool.ts";
import type { AskOptions, TurnResult } from "./agent.ts";
import { FileStep, type FileStepResult } from "./file-step.ts";
import type { AgentLimits } from "./limits.ts";
import { PythonExecAgent } from "./python-exec-agent.ts";

export interface OrchestratorParts {
  readonly model: Model;
  readonly session: Session;
  readonly conversation: Conversation;
  /** For the agent with Python, besides its own. */
  readonly tools?: readonly Tool[];
  /** Host paths that the user named: a file is copied, of a folder its tables and text files. */
  readonly files?: readonly string[];
  /** Host files among which the file agent chooses. */
  readonly mounts?: readonly HostMount[];
  /** Folders that all of these must be below; without them, no restriction. */
  readonly roots?: readonly string[];
  readonly limits?: Partial<AgentLimits>;
  readonly settings?: ModelSettings;
  /** Hears every event of both agents. */
  readonly events?: EventBus<AgentEvent>;
  readonly onLog?: (line: string) => void;
}

const NAME = "orchestrator";
const STAGES = 2;

/** Two agents on one question: one sees host files and runs no code, the other runs code and sees no host. */
export class Orchestrator {
  readonly #parts: OrchestratorParts;
  readonly #fileStep: FileStep;
  readonly #python: PythonExecAgent;
  #model: Model;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(parts: OrchestratorParts) {
    const { files: paths = [], mounts = [], tools = [], roots: _, ...shared } = parts;
    const conversation = new Conversation({ id: `${parts.conversation.id}-files` });
    this.#parts = parts;
    this.#model = parts.model;
    this.#fileStep = new FileStep({
      ...shared,
      ...(parts.roots ? { roots: parts.roots } : {}),
      paths,
      mounts,
      conversation,
      copies: new SessionCopies(parts.session),
    });
    this.#python = new PythonExecAgent({ ...shared, tools });
  }

  /** What the agent with Python may call; more can be added between questions. */
  get tools(): ToolRegistry {
    return this.#python.tools;
  }

  /** From the next question on. */
  useModel(model: Model): void {
    this.#python.useModel(model);
    this.#fileStep.useModel(model);
    this.#model = model;
  }

  /** The result of the second step, with what both cost; a question stopped in the first step is not in the conversation. */
  ask(question: string, options: AskOptions = {}): Promise<TurnResult> {
    const result = this.#turns.then(() => this.#ask(question, options));
    this.#turns = result.catch(() => {});
    return result;
  }

  async #ask(question: string, options: AskOptions): Promise<TurnResult> {
    const turn = `turn_${randomBytes(12).toString("hex")}`;
    const emit = (event: ToolEvent) => {
      const told = { ...event, agent: NAME, turn } as AgentEvent;
      this.#parts.events?.emit(told);
      options.onEvent?.(told);
    };
    if (!this.#fileStep.needed) return this.#python.task({ question }, options);
    emit({ type: "stage-start", stage: 1, of: STAGES, title: this.#fileStep.title });
    const found = await this.#gather(question, options, emit);
    if (found.stopped) return this.#stopped(found.usage, emit);
    emit({ type: "stage-start", stage: 2, of: STAGES, title: "Writing and running Python" });
    const answered = await this.#answer(question, found, options);
    return { ...answered, usage: addUsage(found.usage, answered.usage) };
  }

  async #gather(
    question: string,
    options: AskOptions,
    emit: (event: ToolEvent) => void,
  ): Promise<FileStepResult> {
    try {
      return await this.#fileStep.run(question, { ...options, emit });
    } catch (error) {
      const aborted = error instanceof GloveboxError && error.code === "aborted";
      if (aborted || options.signal?.aborted) return { stopped: true, usage: noUsage };
      throw error;
    }
  }

  async #answer(question: string, found: FileStepResult, options: AskOptions): Promise<TurnResult> {
    const { conversation } = this.#parts;
    const before = conversation.items.length;
    try {
      return await this.#python.task(
        { ...(found.context ? { context: found.context } : {}), question },
        options,
      );
    } finally {
      // A context that was taken back, or was never recorded, is told again.
      const item = conversation.items.slice(before).find(isFromUser);
      if (found.context && item) this.#fileStep.told(() => conversation.items.includes(item));
    }
  }

  #stopped(usage: Usage, emit: (event: ToolEvent) => void): TurnResult {
    const { session, conversation } = this.#parts;
    emit({ type: "turn-end", reason: "aborted", answer: "", usage });
    return {
      reason: "aborted",
      answer: "",
      model: this.#model.name,
      session: session.id,
      conversation: conversation.id,
      cells: [],
      files: [],
      hosted: [],
      usage,
      items: [],
    };
  }
}
