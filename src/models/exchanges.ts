import {
  type CodeInterpreterCallItem,
  type FunctionCallItem,
  type FunctionCallOutputItem,
  type InputPart,
  type Item,
  type MessageItem,
  type ReasoningItem,
  textOf,
} from "../protocol/items.ts";

/** A conversation as everybody but the Responses API wants it: whole messages that take turns. */
export type Exchange =
  | { readonly role: "user"; readonly parts: readonly InputPart[] }
  | { readonly role: "assistant"; readonly pieces: readonly Piece[] }
  /** What came of the assistant's calls, in the order of the calls. */
  | { readonly role: "tool"; readonly answers: readonly Answer[] };

export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly item: ReasoningItem }
  | { readonly type: "call"; readonly item: FunctionCallItem };

export interface Answer {
  readonly call: FunctionCallItem;
  readonly output: FunctionCallOutputItem["output"];
}

export interface Exchanges {
  /** What the system said before anybody else. */
  readonly system: string;
  readonly exchanges: readonly Exchange[];
}

/** Groups items into messages; an assistant's message ends where the first of its calls is answered. */
export function toExchanges(instructions: string, items: readonly Item[]): Exchanges {
  const builder = new Builder(items);
  const system = [instructions];
  for (const [at, item] of items.entries()) {
    const isSystem = item.type === "message" && (item.role === "system" || item.role === "developer");
    // Many servers take a system message only as the first.
    if (isSystem && system.length === at + 1) system.push(textOf(item.content));
    else builder.add(item);
  }
  return { system: system.filter(Boolean).join("\n\n"), exchanges: builder.end() };
}

class Builder {
  readonly #outputs: ReadonlyMap<string, FunctionCallOutputItem>;
  readonly #done: Exchange[] = [];
  #pieces: Piece[] = [];
  #parts: InputPart[] = [];

  constructor(items: readonly Item[]) {
    const outputs = items.filter((item) => item.type === "function_call_output");
    this.#outputs = new Map(outputs.map((item) => [item.call_id, item]));
  }

  add(item: Item): void {
    if (item.type === "function_call_output") this.#endAssistant();
    else if (item.type === "compaction") {
      this.#user([{ type: "input_text", text: summaryInWords(item.encrypted_content) }]);
    } else if (item.type === "message" && item.role !== "assistant") this.#user(inputParts(item));
    else this.#assistant(pieceOf(item));
  }

  end(): readonly Exchange[] {
    this.#endUser();
    this.#endAssistant();
    return this.#done;
  }

  #assistant(piece: Piece): void {
    this.#endUser();
    this.#pieces.push(piece);
  }

  #user(parts: readonly InputPart[]): void {
    this.#endAssistant();
    this.#parts.push(...parts);
  }

  #endUser(): void {
    if (this.#parts.length > 0) this.#done.push({ role: "user", parts: this.#parts });
    this.#parts = [];
  }

  #endAssistant(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    this.#done.push({ role: "assistant", pieces });
    const answers = pieces.flatMap((piece) => {
      const output = piece.type === "call" ? this.#outputs.get(piece.item.call_id) : undefined;
      return piece.type === "call" && output ? [{ call: piece.item, output: output.output }] : [];
    });
    if (answers.length > 0) this.#done.push({ role: "tool", answers });
  }
}

function pieceOf(item: MessageItem | FunctionCallItem | ReasoningItem | CodeInterpreterCallItem): Piece {
  if (item.type === "function_call") return { type: "call", item };
  if (item.type === "reasoning") return { type: "reasoning", item };
  return { type: "text", text: item.type === "message" ? textOf(item.content) : hostedCallInWords(item) };
}

function inputParts({ role, content }: MessageItem): InputPart[] {
  const mark =
    role === "user" ? [] : [{ type: "input_text" as const, text: "[From the system, not the user]" }];
  if (typeof content === "string") return [...mark, { type: "input_text", text: content }];
  const parts = content.map((part): InputPart => {
    if (part.type === "output_text") return { type: "input_text", text: part.text };
    return part.type === "refusal" ? { type: "input_text", text: part.refusal } : part;
  });
  return [...mark, ...parts];
}

/** A summary of ours is plain text, and is told apart from what the user says now. */
export function summaryInWords(summary: string): string {
  return `[Summary of the earlier part of this conversation, which is no longer shown]\n${summary}\n[End of the summary]`;
}

function hostedCallInWords({ code, outputs, status }: CodeInterpreterCallItem): string {
  const printed = (outputs ?? []).map((output) => (output.type === "logs" ? output.logs : "[picture]"));
  return `[Code that was run (${status})]\n${code ?? ""}\n[Its output]\n${printed.join("\n")}`;
}

/** The arguments of a call as an object; what is none is shown for what it is. */
export function callArguments({ arguments: text }: FunctionCallItem): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  return { unreadable_arguments: text };
}
