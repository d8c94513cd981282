// take the question in → [ask the model, record what it says → run its calls, record their outputs]… → the answer
import { randomBytes } from "node:crypto";
import { GloveboxError } from "../errors.ts";
import { compact, needsCompaction } from "../history/compact.ts";
import { repaired } from "../history/repair.ts";
import { newestTurns, sinceCompaction } from "../history/window.ts";
import type { AgentEvent, TurnEnding } from "../protocol/events.ts";
import { type FunctionCallItem, type Item, textOf } from "../protocol/items.ts";
import { addUsage, noUsage, type Usage } from "../protocol/usage.ts";
import type { ToolEvent } from "../tools/tool.ts";
import type { AgentParts, AskOptions, TurnResult } from "./agent.ts";
import { clientCalls, runCalls } from "./calls.ts";
import { type HostedCall, settleHostedCalls } from "./hosted-calls.ts";
import type { AgentLimits } from "./limits.ts";
import { type Step, takeStep } from "./step.ts";
import { TurnClock } from "./turn-clock.ts";
import { TurnRecord } from "./turn-record.ts";

export type TurnParts = AgentParts & { readonly limits: AgentLimits };

const LAST_STEP =
  "This is the last step of this turn: call no tool any more, and answer with what you know. Say what is still open.";

/** With fewer tokens nothing can be said; some providers refuse to be asked. */
const LEAST_ROOM = 1;

/** One turn of an agent. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #options: AskOptions;
  readonly #id = `turn_${randomBytes(12).toString("hex")}`;
  readonly #clock: TurnClock;
  readonly #record = new TurnRecord();
  readonly #hosted: HostedCall[] = [];
  /** Calls that stay without an output of ours. */
  #handedOver: readonly FunctionCallItem[] = [];
  #usage: Usage = noUsage;

  constructor(parts: TurnParts, options: AskOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#clock = new TurnClock(parts.limits.timeMs, options.signal);
  }

  async run(question: readonly Item[]): Promise<TurnResult> {
    const { model, conversation } = this.#parts;
    this.#emit({
      type: "turn-start",
      model: model.name,
      provider: model.provider,
      conversation: conversation.id,
    });
    try {
      const before = await this.#history();
      const start = conversation.items.length;
      for (const item of question) await this.#append(item);
      return await this.#end(await this.#steps(before, start));
    } catch (error) {
      const stopped = this.#clock.stoppedBy();
      if (stopped) return await this.#end({ reason: stopped, answer: "" });
      await this.#end({ reason: "failed", answer: "" }, error).catch((second) =>
        this.#parts.onLog?.(`The turn could not be closed: ${second}`),
      );
      throw error;
    } finally {
      this.#clock[Symbol.dispose]();
    }
  }

  async #steps(before: readonly Item[], start: number): Promise<Ending> {
    const { conversation, limits } = this.#parts;
    for (let number = 1; ; number += 1) {
      const last = number === limits.steps;
      const room = this.#room();
      if (room !== undefined && room < LEAST_ROOM) return { reason: "length", answer: "" };
      this.#emit({ type: "step-start", step: number });
      const input = repaired([...before, ...conversation.items.slice(start)], this.#parts.onLog);
      const step = await takeStep(this.#parts, {
        input,
        number,
        signal: this.#clock.signal,
        ...(last ? { addendum: LAST_STEP } : {}),
        toolChoice: last ? "none" : number === 1 ? (this.#options.toolChoice ?? "auto") : "auto",
        ...(this.#options.textFormat ? { textFormat: this.#options.textFormat } : {}),
        ...(this.#options.parallelToolCalls === undefined
          ? {}
          : { parallelToolCalls: this.#options.parallelToolCalls }),
        ...(room === undefined ? {} : { maxOutputTokens: room }),
        emit: this.#emit,
        append: this.#append,
        taken: (callId) =>
          conversation.items.some((item) => item.type === "function_call" && item.call_id === callId),
      });
      this.#usage = addUsage(this.#usage, step.usage);
      this.#hosted.push(...(await this.#settle(step.items, number)));
      if (step.calls.length === 0) return { reason: endingOf(step), answer: answerOf(step) };
      if (step.finish === "length" && room !== undefined) return { reason: "length", answer: answerOf(step) };
      const handedOver = clientCalls(step.calls, this.#parts.tools);
      await this.#run(
        step.calls.filter((call) => !handedOver.includes(call)),
        number,
        last,
      );
      const stopped = this.#clock.stoppedBy();
      if (stopped) return { reason: stopped, answer: answerOf(step) };
      this.#handedOver = handedOver;
      if (handedOver.length > 0) return { reason: "client-calls", answer: answerOf(step) };
      if (last) return { reason: "steps", answer: answerOf(step) };
      if (this.#usage.total_tokens >= limits.tokens) return { reason: "tokens", answer: answerOf(step) };
    }
  }

  /** What the model may still say in this turn, where that is bounded. */
  #room(): number | undefined {
    const { maxOutputTokens } = this.#options;
    return maxOutputTokens === undefined ? undefined : maxOutputTokens - this.#usage.output_tokens;
  }

  #settle(items: readonly Item[], number: number): Promise<HostedCall[]> {
    const { tools, onLog } = this.#parts;
    return settleHostedCalls(items, {
      registry: tools,
      contextOf: (callId) => this.#context(callId, number),
      ...(onLog ? { onLog } : {}),
    });
  }

  async #run(calls: readonly FunctionCallItem[], number: number, refuse: boolean): Promise<void> {
    const { tools, limits, onLog } = this.#parts;
    await runCalls(calls, {
      registry: tools,
      contextOf: (callId) => this.#context(callId, number),
      outputBytes: limits.outputBytes,
      refuse,
      append: this.#append,
      ...(onLog ? { onLog } : {}),
    });
  }

  #context(callId: string, step: number) {
    const { session, conversation, model, name } = this.#parts;
    return {
      callId,
      get session() {
        if (session) return session;
        throw new GloveboxError("tool", "This agent has no session; use a tool that brings its own.");
      },
      conversation,
      model: { name: model.name, provider: model.provider },
      deadline: this.#clock.deadline,
      signal: this.#clock.signal,
      emit: this.#emit,
      prompt: { agent: name, turn: this.#id, step },
    };
  }

  /** What was said before this turn, as much as fits; fixed for the whole turn. */
  async #history(): Promise<Item[]> {
    const { conversation, limits, model } = this.#parts;
    if (needsCompaction(conversation, limits.contextTokens)) {
      try {
        const options = { model, mostTokens: limits.contextTokens, signal: this.#clock.signal };
        const usage = await compact(conversation, options);
        if (usage) this.#usage = addUsage(this.#usage, usage);
        this.#emit({ type: "notice", text: "The earlier part of the conversation was summarised." });
      } catch (error) {
        if (this.#clock.signal.aborted) throw error;
        this.#parts.onLog?.(`The conversation could not be summarised: ${error}`);
        this.#emit({ type: "notice", text: "The earliest part of the conversation is left out." });
      }
    }
    return newestTurns(sinceCompaction(conversation.items), limits.contextTokens);
  }

  async #end({ reason, answer }: Ending, error?: unknown): Promise<TurnResult> {
    const { conversation, session, model } = this.#parts;
    await this.#answerOpenCalls().catch((cause) => {
      // Whoever watches hears of the end all the same; the log is mended when it is read.
      this.#parts.onLog?.(`The turn's open calls could not be answered: ${cause}`);
    });
    this.#emit({
      type: "turn-end",
      reason,
      answer,
      usage: this.#usage,
      ...(error === undefined ? {} : { error: error instanceof GloveboxError ? error.code : "internal" }),
    });
    return {
      reason,
      answer,
      model: model.name,
      session: session?.id ?? "",
      conversation: conversation.id,
      cells: this.#record.cells,
      files: this.#record.files,
      hosted: this.#hosted,
      usage: this.#usage,
      items: this.#record.items,
    };
  }

  /** A call that was stopped is answered too, so that the log is whole wherever it ends. */
  async #answerOpenCalls(): Promise<void> {
    const handedOver = new Set(this.#handedOver.map((call) => call.call_id));
    const missing = repaired(this.#record.items).filter(
      (item) =>
        item.type === "function_call_output" &&
        !this.#record.items.includes(item) &&
        !handedOver.has(item.call_id),
    );
    for (const item of missing) await this.#append(item);
  }

  readonly #append = async (item: Item) => {
    await this.#parts.conversation.append(item);
    this.#record.items.push(item);
    this.#emit({ type: "item", item });
  };

  readonly #emit = (event: ToolEvent) => {
    const told = { ...event, agent: this.#parts.name, turn: this.#id } as AgentEvent;
    this.#record.take(told);
    this.#parts.events?.emit(told);
    try {
      this.#options.onEvent?.(told);
    } catch (error) {
      // What a listener throws is its own trouble, as on the bus.
      this.#parts.onLog?.(`A listener failed at ${told.type}: ${error}`);
    }
  };
}

interface Ending {
  readonly reason: TurnEnding;
  readonly answer: string;
}

function answerOf(step: Step): string {
  return step.items
    .filter((item) => item.type === "message")
    .map((item) => textOf(item.content))
    .join("\n\n")
    .trim();
}

function endingOf(step: Step): TurnEnding {
  if (step.finish === "length" || step.finish === "content-filter") return step.finish;
  return "answer";
}
