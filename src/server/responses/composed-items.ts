import {
  type Annotation,
  type FunctionCallItem,
  type Item,
  type ReasoningItem,
  textOf,
} from "../../protocol/items.ts";
import type { CellResult } from "../../protocol/result.ts";
import type { CallOutput } from "./cell-outputs.ts";
import type { OutputSlot } from "./output-slot.ts";
import { sealReasoning } from "./sealed-items.ts";

export type ItemStatus = "completed" | "incomplete";

/** A message that is being said. */
export class ComposedMessage {
  readonly #slot: OutputSlot;
  #text = "";
  #item: Extract<Item, { type: "message" }> | undefined;
  readonly #before: readonly Item[];

  /** `before` is what models are told ahead of it, and clients are not. */
  constructor(slot: OutputSlot, before: readonly Item[]) {
    this.#slot = slot;
    this.#before = before;
    slot.add({ id: slot.id, type: "message", status: "in_progress", role: "assistant", content: [] });
    slot.emit("response.content_part.added", { content_index: 0, part: textPart("", []) });
  }

  get text(): string {
    return this.#text;
  }

  write(text: string): void {
    this.#text += text;
    this.#slot.emit("response.output_text.delta", { content_index: 0, delta: text, logprobs: [] });
  }

  /** The whole message is known; it stays open for what can only be said at the very end. */
  settle(item: Extract<Item, { type: "message" }>): void {
    const text = textOf(item.content);
    if (text.startsWith(this.#text)) {
      if (text.length > this.#text.length) this.write(text.slice(this.#text.length));
    } else this.#text = text;
    this.#item = item;
  }

  async finish(annotations: readonly Annotation[], status: ItemStatus): Promise<void> {
    const slot = this.#slot;
    for (const [at, annotation] of annotations.entries())
      slot.emit("response.output_text.annotation.added", {
        content_index: 0,
        annotation_index: at,
        annotation,
      });
    const part = textPart(this.#text, annotations);
    slot.emit("response.output_text.done", { content_index: 0, text: this.#text, logprobs: [] });
    slot.emit("response.content_part.done", { content_index: 0, part });
    const phase = this.#item?.phase ? { phase: this.#item.phase } : {};
    const own = this.#item?.status === "incomplete" ? "incomplete" : status;
    const item = { id: slot.id, type: "message", status: own, role: "assistant", content: [part], ...phase };
    await slot.finish(item, this.#item ? [...this.#before, this.#item] : []);
  }
}

function textPart(text: string, annotations: readonly Annotation[]): Record<string, unknown> {
  return { type: "output_text", text, annotations, logprobs: [] };
}

/** Reasoning that is being told, as a summary: the form that clients show. */
export class ComposedReasoning {
  readonly #slot: OutputSlot;
  #text = "";

  constructor(slot: OutputSlot) {
    this.#slot = slot;
    slot.add({ id: slot.id, type: "reasoning", status: "in_progress", summary: [] });
  }

  write(text: string): void {
    if (this.#text === "")
      this.#slot.emit("response.reasoning_summary_part.added", { summary_index: 0, part: summaryPart("") });
    this.#text += text;
    this.#slot.emit("response.reasoning_summary_text.delta", { summary_index: 0, delta: text });
  }

  async finish(given: ReasoningItem | undefined, status: ItemStatus): Promise<void> {
    const slot = this.#slot;
    if (this.#text !== "") {
      slot.emit("response.reasoning_summary_text.done", { summary_index: 0, text: this.#text });
      slot.emit("response.reasoning_summary_part.done", { summary_index: 0, part: summaryPart(this.#text) });
    }
    const item = {
      id: slot.id,
      type: "reasoning",
      status,
      summary: this.#text === "" ? [] : [summaryPart(this.#text)],
      ...(given ? { encrypted_content: sealReasoning(given) } : {}),
    };
    await slot.finish(item, given ? [given] : []);
  }
}

function summaryPart(text: string): Record<string, unknown> {
  return { type: "summary_text", text };
}

/** A call that the client answers. */
export class ComposedFunction {
  readonly #slot: OutputSlot;
  readonly #call: { readonly call_id: string; readonly name: string };
  #arguments = "";
  done = false;

  constructor(slot: OutputSlot, callId: string, name: string) {
    this.#slot = slot;
    this.#call = { call_id: callId, name };
    slot.add(this.#item("in_progress"));
  }

  write(text: string): void {
    this.#arguments += text;
    this.#slot.emit("response.function_call_arguments.delta", { delta: text });
  }

  async finish(call: FunctionCallItem | undefined, status: ItemStatus): Promise<void> {
    if (call && this.#arguments === "" && call.arguments !== "") this.write(call.arguments);
    if (call) this.#arguments = call.arguments;
    this.done = true;
    const { name } = this.#call;
    this.#slot.emit("response.function_call_arguments.done", { name, arguments: this.#arguments });
    await this.#slot.finish(this.#item(status), call ? [call] : []);
  }

  #item(status: string) {
    const { call_id, name } = this.#call;
    return { id: this.#slot.id, type: "function_call", status, call_id, name, arguments: this.#arguments };
  }
}

export interface CodeEnding {
  readonly status: "completed" | "incomplete" | "failed";
  readonly outputs: readonly CallOutput[];
  readonly told: readonly Item[];
}

/** A call that is run here. */
export class ComposedCode {
  readonly #slot: OutputSlot;
  readonly #container: string;
  #code = "";
  #stage: "writing" | "written" | "running" | "done" = "writing";

  constructor(slot: OutputSlot, container: string, withOutputs: boolean) {
    this.#slot = slot;
    this.#container = container;
    slot.add({ ...this.#item("in_progress", []), outputs: withOutputs ? [] : null });
    slot.emit("response.code_interpreter_call.in_progress");
  }

  get done(): boolean {
    return this.#stage === "done";
  }

  write(text: string): void {
    this.#code += text;
    this.#slot.emit("response.code_interpreter_call_code.delta", { delta: text });
  }

  written(code: string | undefined): void {
    if (this.#stage !== "writing") return;
    this.#stage = "written";
    if (code !== undefined && this.#code === "" && code !== "") this.write(code);
    if (code !== undefined) this.#code = code;
    this.#slot.emit("response.code_interpreter_call_code.done", { code: this.#code });
  }

  run(): void {
    if (this.#stage !== "written") return;
    this.#stage = "running";
    this.#slot.emit("response.code_interpreter_call.interpreting");
  }

  printed(stream: "stdout" | "stderr", text: string): void {
    this.#slot.emit(`glovebox.code_interpreter_call.${stream}.delta`, { delta: text });
  }

  /** What displays hold besides the result is among the outputs. */
  cameTo({ displays: _, ...result }: CellResult): void {
    this.#slot.emit("glovebox.code_interpreter_call.result", { result });
  }

  async finish({ status, outputs, told }: CodeEnding): Promise<void> {
    this.written(undefined);
    if (this.#stage === "running" && status === "completed")
      this.#slot.emit("response.code_interpreter_call.completed");
    this.#stage = "done";
    await this.#slot.finish(this.#item(status, outputs), told);
  }

  #item(status: string, outputs: readonly CallOutput[]) {
    const { id } = this.#slot;
    return {
      id,
      type: "code_interpreter_call",
      status,
      code: this.#code,
      container_id: this.#container,
      outputs,
    };
  }
}
