// begin → [compact] → let the agent work, and tell of it as it goes → close what is open → keep the end → tell the end
import { join } from "node:path";
import { Agent, type TurnResult } from "../../agent/agent.ts";
import { Conversation } from "../../history/conversation.ts";
import type { AgentEvent, TurnEnding } from "../../protocol/events.ts";
import { addUsage, noUsage, type Usage } from "../../protocol/usage.ts";
import type { KeptItem, WireItem } from "../../store/kept-item.ts";
import { EventBus } from "../../support/event-bus.ts";
import { openTelemetry } from "../../telemetry/telemetry.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import { TOO_LONG, wireErrorOf } from "../error-answer.ts";
import type { ServerParts } from "../server-parts.ts";
import type { WireError } from "../wire-error.ts";
import { citationsIn } from "./citations.ts";
import { compactItems } from "./compaction.ts";
import type { EventFeed } from "./event-feed.ts";
import { HostedCalls } from "./hosted-calls.ts";
import { OutputComposer } from "./output-composer.ts";
import type { ExtraEvents } from "./output-slot.ts";
import { type Prepared, textFormatOf, toolChoiceOf } from "./prepare.ts";
import {
  endEvent,
  type ResponseHead,
  type ResponseObject,
  type ResponseState,
  responseBody,
  responseObject,
} from "./response-object.ts";
import { responseTools } from "./response-tools.ts";
import { type Included, shownItem } from "./shown-item.ts";
import { TurnQueue } from "./turn-queue.ts";

export interface ResponseRunParts {
  readonly server: ServerParts;
  readonly prepared: Prepared;
  readonly head: ResponseHead;
  readonly feed: EventFeed;
  readonly extra: ExtraEvents;
  /** Why it was stopped is asked of it: `reason` is a StopReason. */
  readonly signal: AbortSignal;
}

export type StopReason = "cancelled" | "interrupted";

export const INTERRUPTED = {
  code: "server_error",
  message: "The response was interrupted by a restart of the server; ask again.",
} as const;

const DEFAULT_THRESHOLD = 100_000;

/** Works on one response from its beginning to its end. */
export class ResponseRun {
  readonly #parts: ResponseRunParts;
  readonly #included: Included;
  readonly #calls: HostedCalls;
  readonly #stop = new AbortController();
  readonly #composer: OutputComposer;
  readonly #tools: ToolRegistry;
  #stopped: WireError | undefined;
  #usage: Usage = noUsage;

  constructor(parts: ResponseRunParts) {
    this.#parts = parts;
    const { request, container, python, model } = parts.prepared;
    this.#included = new Set(request.include ?? []);
    this.#calls = new HostedCalls(request.max_tool_calls ?? undefined);
    this.#tools = responseTools({
      tools: request.tools ?? [],
      choice: request.tool_choice ?? "auto",
      container,
      calls: this.#calls,
      withTables: model.provider === "offline",
      metrics: parts.server.metrics,
      stop: this.#fail,
    });
    this.#composer = new OutputComposer({
      emit: parts.feed.publish,
      save: this.#save,
      included: this.#included,
      calls: this.#calls,
      roleOf: (name) => {
        const tool = this.#tools.get(name);
        if (tool?.client) return "client";
        return name === python ? "code" : tool && "hosted";
      },
      containerId: async () => (container ? container.id() : ""),
      cite: (text, atEnd) => this.#cite(text, atEnd),
      extra: parts.extra,
    });
  }

  /** The response as it begins. */
  get begun(): ResponseObject {
    return this.#object({ status: this.#parts.head.request.background ? "queued" : "in_progress" }, []);
  }

  /** Never throws: what goes wrong is the response's end. `error` says what it was. */
  async run(): Promise<{ response: ResponseObject; error?: WireError }> {
    const { feed, prepared } = this.#parts;
    const working = this.#object({ status: "in_progress" }, []);
    feed.publish({ type: "response.created", response: this.begun });
    if (prepared.request.background) feed.publish({ type: "response.queued", response: this.begun });
    feed.publish({ type: "response.in_progress", response: working });
    try {
      if (prepared.request.background) await this.#markBegun();
      const turn = await this.#work();
      if (this.#stopped) throw this.#stopped;
      return { response: await this.#end(this.#stateAfter(turn.reason), turn.reason) };
    } catch (cause) {
      return await this.#endFailed(cause);
    } finally {
      prepared.container?.[Symbol.dispose]();
      feed.end();
    }
  }

  /** For those who ask how far it is. */
  async #markBegun(): Promise<void> {
    const { server, head } = this.#parts;
    const status = "in_progress";
    await server.box.store.responses.update(head.id, { status, body: responseBody(head, { status }) });
  }

  async #work(): Promise<TurnResult> {
    const { server, prepared, signal, head } = this.#parts;
    const { request, model, python } = prepared;
    const stopped = AbortSignal.any([signal, this.#stop.signal]);
    const told = await this.#compacted(stopped);
    const queue = new TurnQueue<AgentEvent>(
      (event) => this.#composer.take(event),
      (error) => this.#fail(wireErrorOf(error), error),
    );
    const events = new EventBus<AgentEvent>((error) => server.onLog(`A listener failed: ${error}`));
    const session = (await prepared.container?.existing()) ?? head.id;
    events.on(await openTelemetry({ file: join(server.home, "audit.jsonl"), session, onLog: server.onLog }));
    const { temperature, top_p: topP, reasoning } = request;
    const agent = new Agent({
      name: "response",
      instructions: prepared.instructions,
      model,
      tools: this.#tools,
      conversation: new Conversation({ id: head.id, items: told }),
      limits: { contextTokens: Number.MAX_SAFE_INTEGER },
      settings: {
        ...(typeof temperature === "number" ? { temperature } : {}),
        ...(typeof topP === "number" ? { topP } : {}),
        ...(reasoning?.effort ? { reasoningEffort: reasoning.effort } : {}),
      },
      events,
      onLog: server.onLog,
    });
    const textFormat = textFormatOf(request.text?.format);
    const turn = agent.ask([], {
      signal: stopped,
      onEvent: (event) => this.#hear(event, queue),
      toolChoice: toolChoiceOf(request.tool_choice ?? "auto", python),
      ...(textFormat ? { textFormat } : {}),
      ...(typeof request.parallel_tool_calls === "boolean"
        ? { parallelToolCalls: request.parallel_tool_calls }
        : {}),
      ...(request.max_output_tokens ? { maxOutputTokens: request.max_output_tokens } : {}),
    });
    return turn.finally(() => queue.drained());
  }

  #hear(event: AgentEvent, queue: TurnQueue<AgentEvent>): void {
    const { metrics } = this.#parts.server;
    // Which calls are within the limit is settled in the order in which they begin.
    if (event.type === "call-start" && event.tool === this.#parts.prepared.python)
      this.#calls.admit(event.callId);
    if (event.type === "usage") {
      this.#usage = addUsage(this.#usage, event.usage);
      metrics.tokens("input", event.usage.input_tokens);
      metrics.tokens("output", event.usage.output_tokens);
    }
    queue.push(event);
  }

  async #compacted(signal: AbortSignal) {
    const { told, request, model } = this.#parts.prepared;
    const [management] = request.context_management ?? [];
    if (!management) return told;
    const mostTokens = management.compact_threshold ?? DEFAULT_THRESHOLD;
    const compacted = await compactItems(told, { model, mostTokens, signal });
    if (!compacted) return told;
    if (compacted.usage) this.#usage = addUsage(this.#usage, compacted.usage);
    await this.#composer.add(compacted.kept);
    return compacted.items;
  }

  readonly #fail = (error: WireError, cause: unknown = error): void => {
    if (error.status >= 500) this.#parts.server.onLog(`${this.#parts.head.id}: ${detailOf(cause)}`);
    this.#stopped ??= error;
    this.#stop.abort();
  };

  readonly #save = async (position: number, kept: KeptItem): Promise<void> => {
    const { server, prepared, head } = this.#parts;
    this.#kept[position] = kept;
    if (prepared.request.store !== false && this.#isWatched)
      await server.box.store.responses.addOutput(head.id, position, kept);
  };
  readonly #kept: (KeptItem | undefined)[] = [];

  /** Whether anybody learns of an item before the end; where nobody does, all are kept at the end, in one write. */
  get #isWatched(): boolean {
    const { stream, background } = this.#parts.prepared.request;
    return stream === true || background === true;
  }

  async #cite(text: string, atEnd: boolean) {
    const made = atEnd ? this.#calls.files : [];
    if (!text.includes("sandbox:") && made.length === 0) return [];
    const there = await this.#parts.prepared.container?.listed();
    return there ? citationsIn(text, { ...there, made }) : [];
  }

  #stateAfter(reason: TurnEnding): ResponseState {
    const { now, ending } = this.#parts.server;
    const usage = this.#usage;
    switch (reason) {
      case "answer":
      case "client-calls":
        return { status: "completed", usage, completedMs: now() };
      case "length":
      case "tokens":
        return { status: "incomplete", incomplete: "max_output_tokens", usage };
      case "content-filter":
        return { status: "incomplete", incomplete: "content_filter", usage };
      case "aborted":
        if (ending.aborted) return { status: "failed", error: INTERRUPTED, usage };
        return { status: "cancelled", usage };
      default: {
        const message = `There is no answer: the response took more ${reason === "time" ? "time" : "steps"} than it may.`;
        return { status: "failed", error: { code: "server_error", message }, usage };
      }
    }
  }

  async #endFailed(cause: unknown): Promise<{ response: ResponseObject; error: WireError }> {
    const { feed, server, head } = this.#parts;
    const error = wireErrorOf(cause);
    if (cause !== this.#stopped && error.status >= 500) server.onLog(`${head.id}: ${detailOf(cause)}`);
    const { code, message, param } = error;
    const state: ResponseState = {
      status: "failed",
      error: { code: codeOf(error), message },
      usage: this.#usage,
    };
    const tell = () => feed.publish({ type: "error", code, message, param });
    try {
      return { response: await this.#end(state, "failed", tell), error };
    } catch (second) {
      server.onLog(`${head.id} could not be ended: ${detailOf(second)}`);
      const response = this.#object(state, this.#composer.output);
      tell();
      feed.publish({ type: "response.failed", response });
      return { response, error };
    }
  }

  /** The end is kept before anybody is told of it. */
  async #end(
    state: ResponseState,
    reason: TurnEnding,
    before: () => void = () => {},
  ): Promise<ResponseObject> {
    const { server, prepared, head, feed } = this.#parts;
    const { store } = server.box;
    await this.#composer.end(reason);
    const body = responseBody(head, state);
    const output = this.#kept.filter((kept) => kept !== undefined);
    const { conversation } = prepared.request;
    const items = [...prepared.input, ...output];
    const said = conversation && state.status !== "failed" ? { id: conversation, items } : undefined;
    if (prepared.request.store !== false)
      await store.responses.update(head.id, {
        status: state.status,
        body,
        ...(this.#isWatched ? {} : { output }),
        ...(said ? { conversation: said } : {}),
      });
    else if (said) await store.ownedConversations.append(said.id, said.items);
    const response = this.#object(
      state,
      output.map(({ item }) => item),
    );
    before();
    feed.publish({ type: endEvent(state.status), response });
    return response;
  }

  #object(state: ResponseState, output: readonly WireItem[]): ResponseObject {
    const shown = output.map((item) => shownItem(item, this.#included));
    return responseObject(responseBody(this.#parts.head, state), shown);
  }
}

/** The few words that a response's own error has for it. */
function codeOf({ status, code }: WireError): string {
  if (code === TOO_LONG) return code;
  if (status === 429) return "rate_limit_exceeded";
  return status < 500 ? "invalid_prompt" : "server_error";
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
