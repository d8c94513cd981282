// events of a response → the events of a turn, for whoever shows it → the result of the turn
import type { TurnCell, TurnResult } from "../../agent/agent.ts";
import { GloveboxError } from "../../errors.ts";
import type { AgentEvent, TurnEnding } from "../../protocol/events.ts";
import type { CellResult } from "../../protocol/result.ts";
import { noUsage, type Usage, usageOf } from "../../protocol/usage.ts";
import { cellOfLogs } from "./cell-of-logs.ts";
import type { RemoteFiles } from "./remote-files.ts";
import { told } from "./server-failure.ts";
import {
  isCall,
  readWireEvent,
  saidIn,
  type WireCall,
  type WireEvent,
  type WireResponse,
} from "./wire-events.ts";

const TOOL = "python_repl";
const MOST_PRINTED_CHARACTERS = 16 << 20;
const STATUS_OF_A_STREAM = 500;

interface OpenCall {
  stdout: string;
  stderr: string;
  started: boolean;
  readonly beganMs: number;
  result?: CellResult;
}

export interface RemoteTurnParts {
  readonly container: string;
  readonly files: RemoteFiles;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A turn that a server works on. */
export class RemoteTurn {
  readonly #parts: RemoteTurnParts;
  readonly #calls = new Map<string, OpenCall>();
  readonly #cells: TurnCell[] = [];
  #response: WireResponse | undefined;
  #failure: { readonly code?: string | null | undefined; readonly message: string } | undefined;
  #answer = "";
  #ending: TurnEnding | undefined;

  constructor(parts: RemoteTurnParts) {
    this.#parts = parts;
  }

  /** Whether the server has told the end. */
  get ended(): boolean {
    return this.#ending !== undefined;
  }

  async take(given: unknown, signal: AbortSignal): Promise<void> {
    const event = readEvent(given);
    switch (event?.type) {
      case "response.created":
        this.#response = event.response;
        return this.#tell({
          type: "turn-start",
          model: event.response.model,
          provider: "server",
          conversation: event.response.id,
        });
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#tell({ type: "text-delta", text: event.delta });
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#tell({ type: "reasoning-delta", text: event.delta });
      case "response.output_item.added":
        if (isCall(event.item)) this.#begin(event.item.id);
        return;
      case "response.code_interpreter_call_code.delta":
        return this.#tell({ type: "code-delta", callId: event.item_id, text: event.delta });
      case "response.code_interpreter_call_code.done":
        return this.#start(event.item_id, event.code);
      case "glovebox.code_interpreter_call.stdout.delta":
      case "glovebox.code_interpreter_call.stderr.delta":
        return this.#print(event.item_id, event.type.includes("stdout") ? "stdout" : "stderr", event.delta);
      case "glovebox.code_interpreter_call.result":
        this.#begin(event.item_id).result = event.result;
        return;
      case "response.output_item.done":
        if (isCall(event.item)) return this.#finish(event.item, signal);
        this.#answer = saidIn(event.item) || this.#answer;
        return;
      case "error":
        this.#failure = event;
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        this.#end(event.response);
    }
  }

  result(ending: TurnEnding | undefined = this.#ending): TurnResult {
    const { container, files } = this.#parts;
    return {
      reason: ending ?? "failed",
      answer: this.#answer,
      model: this.#response?.model ?? "",
      session: container,
      conversation: this.#response?.id ?? "",
      cells: this.#cells,
      // Nobody waits for files after an interrupt; they stay in the container.
      files: ending === "aborted" ? [] : files.made,
      hosted: [],
      usage: plainUsage(this.#response?.usage),
      items: [],
    };
  }

  #begin(callId: string): OpenCall {
    const known = this.#calls.get(callId);
    if (known) return known;
    const call: OpenCall = { stdout: "", stderr: "", started: false, beganMs: performance.now() };
    this.#calls.set(callId, call);
    this.#answer = "";
    this.#tell({ type: "call-start", callId, tool: TOOL });
    return call;
  }

  #start(callId: string, code: string): void {
    const call = this.#begin(callId);
    if (call.started) return;
    call.started = true;
    this.#tell({ type: "tool-start", callId, tool: TOOL, code });
  }

  #print(callId: string, stream: "stdout" | "stderr", text: string): void {
    const call = this.#begin(callId);
    if (call[stream].length + text.length > MOST_PRINTED_CHARACTERS) return;
    call[stream] += text;
    this.#tell({ type: `${stream}-delta`, callId, cell: this.#cells.length + 1, text });
  }

  async #finish(item: WireCall, signal: AbortSignal): Promise<void> {
    const { id: callId, code, status, outputs } = item;
    const call = this.#begin(callId);
    this.#start(callId, code ?? "");
    const logs = (outputs ?? []).flatMap((one) => (one.type === "logs" ? [one.logs] : [])).join("\n");
    if (status === "failed") return this.#refuse(callId, logs);
    if (status === "incomplete") return;
    const cell = this.#cells.length + 1;
    const pictures = (outputs ?? []).flatMap((one) => (one.type === "image" ? [one.url] : []));
    const result = call.result ?? (await this.#derived(call, { logs, pictures }, signal));
    if (call.result) this.#parts.files.show(call.result.images ?? [], pictures);
    this.#parts.files.note(result.files ?? []);
    this.#cells.push({ code: code ?? "", result });
    this.#tell({ type: "cell-end", callId, cell, result });
    const output = JSON.stringify({ kind: result.kind });
    this.#tell({ type: "tool-end", callId, tool: TOOL, success: result.kind !== "error", output });
  }

  /** A server that tells only what OpenAI's API has. */
  async #derived(
    call: OpenCall,
    { logs, pictures }: { readonly logs: string; readonly pictures: readonly string[] },
    signal: AbortSignal,
  ): Promise<CellResult> {
    const cell = this.#cells.length + 1;
    const { files, images } = await this.#parts.files.since({ cell, pictures }, signal);
    return {
      ...cellOfLogs(logs, call),
      ...(images.length > 0 ? { images } : {}),
      ...(files.length > 0 ? { files } : {}),
      cell,
      duration_ms: Math.round(performance.now() - call.beganMs),
    };
  }

  /** A call that came to no cell. */
  #refuse(callId: string, message: string): void {
    const output = JSON.stringify({ kind: "error", name: "ToolFailed", message });
    this.#tell({ type: "tool-end", callId, tool: TOOL, success: false, output });
  }

  #end(response: WireResponse): void {
    this.#response = response;
    if (response.status === "failed") {
      const { code, message } = this.#failure ??
        response.error ?? { code: null, message: "There is no answer." };
      if (this.#failure) throw told(code, message, STATUS_OF_A_STREAM);
      throw new GloveboxError("tool", message);
    }
    this.#ending = endingOf(response);
  }

  #tell(event: WithoutTurn<AgentEvent>): void {
    this.#parts.onEvent({ agent: "server", turn: this.#response?.id ?? "", ...event });
  }
}

type WithoutTurn<T> = T extends unknown ? Omit<T, "agent" | "turn"> : never;

function readEvent(given: unknown): WireEvent | undefined {
  try {
    return readWireEvent(given);
  } catch (cause) {
    throw new GloveboxError("model-protocol", "The server sent an event of a form that is not OpenAI's.", {
      cause,
    });
  }
}

function endingOf({ status, incomplete_details: details }: WireResponse): TurnEnding {
  if (status === "completed") return "answer";
  if (status === "cancelled") return "aborted";
  return details?.reason === "content_filter" ? "content-filter" : "length";
}

function plainUsage(usage: WireResponse["usage"]): Usage {
  if (!usage) return noUsage;
  return usageOf({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cached: usage.input_tokens_details.cached_tokens,
    reasoning: usage.output_tokens_details.reasoning_tokens,
  });
}
