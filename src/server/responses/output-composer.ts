// the events of a turn → the items of a response and the events that tell of them, in the order that OpenAI sends
import type { AgentEvent, TurnEnding } from "../../protocol/events.ts";
import type { Annotation, FunctionCallItem, FunctionCallOutputItem, Item } from "../../protocol/items.ts";
import type { KeptItem, WireItem } from "../../store/kept-item.ts";
import { withoutFence } from "../../tools/python-repl.ts";
import {
  ComposedCode,
  ComposedFunction,
  ComposedMessage,
  ComposedReasoning,
  type ItemStatus,
} from "./composed-items.ts";
import type { HostedCalls } from "./hosted-calls.ts";
import { type ExtraEvents, type OutputSink, OutputSlot } from "./output-slot.ts";

export interface ComposerParts extends OutputSink {
  readonly calls: HostedCalls;
  /** "code" is shown while it is written, "hosted" once it runs code, "client" is the client's to answer. */
  readonly roleOf: (tool: string) => "code" | "hosted" | "client" | undefined;
  readonly containerId: () => Promise<string>;
  /** What a text cites; at the end of a response also what it made and does not mention. */
  readonly cite: (text: string, atEnd: boolean) => Promise<readonly Annotation[]>;
  readonly extra: ExtraEvents;
}

/** Makes the output of a response out of what happens in a turn. */
export class OutputComposer {
  readonly #parts: ComposerParts;
  readonly #slots: OutputSlot[] = [];
  readonly #code = new Map<string, ComposedCode>();
  readonly #functions = new Map<string, ComposedFunction>();
  readonly #tools = new Map<string, string>();
  readonly #said = new Map<string, FunctionCallItem>();
  readonly #answers = new Map<string, FunctionCallOutputItem>();
  /** Told to models before the next item, and shown to nobody. */
  #hidden: Item[] = [];
  #message: ComposedMessage | undefined;
  #reasoning: ComposedReasoning | undefined;
  #settled = false;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
  }

  /** The items that are done, as they are kept. */
  get output(): WireItem[] {
    return this.#slots.flatMap((slot) => (slot.done ? [slot.done] : []));
  }

  async add(item: KeptItem): Promise<void> {
    const slot = this.#slot("cmp_");
    const whole = { ...item.item, id: slot.id };
    slot.add(whole);
    await slot.finish(whole, item.told ?? []);
  }

  async take(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "text-delta":
        if (this.#settled) await this.#endMessage("completed", false);
        this.#openMessage().write(event.text);
        return;
      case "reasoning-delta":
        await this.#endSettled();
        this.#reasoning ??= new ComposedReasoning(this.#slot("rs_"));
        this.#reasoning.write(event.text);
        return;
      case "call-start":
        await this.#endMessage("completed", false);
        return this.#beginCall(event.callId, event.tool);
      case "code-delta":
        this.#code.get(event.callId)?.write(event.text);
        return;
      case "arguments-delta":
        this.#functions.get(event.callId)?.write(event.text);
        return;
      case "item":
        return this.#takeItem(event.item);
      case "tool-start":
        this.#code.get(event.callId)?.run();
        return;
      case "cell-start":
        return this.#beginCell(event.callId, event.code);
      case "stdout-delta":
      case "stderr-delta":
        if (this.#parts.extra.has("stdout"))
          this.#code
            .get(event.callId)
            ?.printed(event.type === "stdout-delta" ? "stdout" : "stderr", event.text);
        return;
      case "cell-end":
        if (this.#parts.extra.has("result")) this.#code.get(event.callId)?.cameTo(event.result);
        return;
      case "tool-end":
        return this.#endCall(event);
      case "step-start":
        return this.#endSettled();
    }
  }

  /** Closes what is still open. */
  async end(reason: TurnEnding): Promise<void> {
    const whole = reason === "answer" || reason === "client-calls";
    const status: ItemStatus = whole ? "completed" : "incomplete";
    await this.#reasoning?.finish(undefined, status);
    this.#reasoning = undefined;
    await this.#endMessage(status, true);
    for (const [callId, open] of this.#functions)
      if (!open.done) await open.finish(this.#said.get(callId), status);
    for (const [callId, open] of this.#code) {
      if (open.done) continue;
      await open.finish({ status: "incomplete", outputs: [], told: this.#pair(callId) });
    }
  }

  async #takeItem(item: Item): Promise<void> {
    switch (item.type) {
      case "message":
        if (item.role !== "assistant") return;
        if (this.#settled) await this.#endMessage("completed", false);
        this.#openMessage().settle(item);
        this.#settled = true;
        return;
      case "reasoning": {
        const open = this.#reasoning ?? new ComposedReasoning(this.#slot("rs_"));
        this.#reasoning = undefined;
        return open.finish(item, "completed");
      }
      case "function_call":
        await this.#endMessage("completed", false);
        return this.#takeCall(item);
      case "function_call_output":
        this.#answers.set(item.call_id, item);
    }
  }

  async #beginCall(callId: string, tool: string): Promise<void> {
    this.#tools.set(callId, tool);
    const role = this.#parts.roleOf(tool);
    if (role === "client") this.#functions.set(callId, new ComposedFunction(this.#slot("fc_"), callId, tool));
    if (role === "code" && this.#parts.calls.admit(callId)) await this.#openCode(callId);
  }

  async #openCode(callId: string): Promise<ComposedCode> {
    const container = await this.#parts.containerId();
    const withOutputs = this.#parts.included.has("code_interpreter_call.outputs");
    const open = new ComposedCode(this.#slot("ci_"), container, withOutputs);
    this.#code.set(callId, open);
    return open;
  }

  async #takeCall(call: FunctionCallItem): Promise<void> {
    if (!this.#tools.has(call.call_id)) await this.#beginCall(call.call_id, call.name);
    this.#said.set(call.call_id, call);
    await this.#functions.get(call.call_id)?.finish(call, "completed");
    this.#code.get(call.call_id)?.written(codeOf(call));
  }

  /** A tool that is not Python itself but runs some. */
  async #beginCell(callId: string, code: string): Promise<void> {
    if (this.#code.has(callId) || this.#parts.roleOf(this.#tools.get(callId) ?? "") !== "hosted") return;
    const open = await this.#openCode(callId);
    open.written(code);
    open.run();
  }

  async #endCall(event: Extract<AgentEvent, { type: "tool-end" }>): Promise<void> {
    const open = this.#code.get(event.callId);
    if (!open) {
      this.#hidden.push(...this.#pair(event.callId));
      return;
    }
    const outcome = this.#parts.calls.outcomeOf(event.callId);
    const told = [...this.#takeHidden(), ...this.#pair(event.callId)];
    if (outcome) return open.finish({ status: "completed", outputs: outcome.outputs, told });
    const logs = failureIn(event.output);
    await open.finish({ status: "failed", outputs: [{ type: "logs", logs }], told });
  }

  #pair(callId: string): Item[] {
    const [call, answer] = [this.#said.get(callId), this.#answers.get(callId)];
    return call && answer ? [call, answer] : [];
  }

  #takeHidden(): Item[] {
    const hidden = this.#hidden;
    this.#hidden = [];
    return hidden;
  }

  #openMessage(): ComposedMessage {
    this.#message ??= new ComposedMessage(this.#slot("msg_"), this.#takeHidden());
    return this.#message;
  }

  /** A message that is whole ends when something else begins. */
  async #endSettled(): Promise<void> {
    if (this.#settled) await this.#endMessage("completed", false);
  }

  async #endMessage(status: ItemStatus, atEnd: boolean): Promise<void> {
    const open = this.#message;
    if (!open) return;
    this.#message = undefined;
    this.#settled = false;
    await open.finish(await this.#parts.cite(open.text, atEnd), status);
  }

  #slot(prefix: "msg_" | "rs_" | "fc_" | "ci_" | "cmp_"): OutputSlot {
    const slot = new OutputSlot(this.#parts, this.#slots.length, prefix);
    this.#slots.push(slot);
    return slot;
  }
}

function codeOf(call: FunctionCallItem): string | undefined {
  try {
    const { code } = JSON.parse(call.arguments) as { code?: unknown };
    return typeof code === "string" ? withoutFence(code) : undefined;
  } catch {
    return undefined;
  }
}

/** The words of a call that could not be run. */
function failureIn(output: string): string {
  try {
    const { message } = JSON.parse(output) as { message?: unknown };
    return typeof message === "string" ? message : output;
  } catch {
    return output;
  }
}
