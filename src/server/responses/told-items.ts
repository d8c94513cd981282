import {
  type CodeInterpreterCallItem,
  type FunctionCallOutputItem,
  type InputPart,
  Item,
  type MessageItem,
  type MessagePart,
} from "../../protocol/items.ts";
import type { KeptItem } from "../../store/kept-item.ts";
import { boundOutput } from "../../tools/bound-output.ts";
import { WireError } from "../wire-error.ts";
import type { InputFiles } from "./input-files.ts";
import { openCompaction, openReasoning } from "./sealed-items.ts";

export interface ToldOptions {
  readonly files: InputFiles;
  /** The name under which the model knows Python. */
  readonly python: string;
  /** How many of the items, from the end, are this request's own. */
  readonly fresh: number;
}

/** The items as a model is told them: hosted calls as calls with outputs, files as what can be shown of them. */
export async function toldItems(kept: readonly KeptItem[], options: ToldOptions): Promise<Item[]> {
  const summary = kept.findLastIndex(({ item }) => item.type === "compaction");
  const told: Item[] = [];
  for (const [at, one] of kept.entries()) {
    // A compaction stands for everything before it.
    if (at < summary) continue;
    const fresh = at - (kept.length - options.fresh);
    told.push(...(await toldItem(one, { ...options, at: fresh })));
  }
  return told;
}

async function toldItem({ item, told }: KeptItem, where: ToldOptions & { at: number }): Promise<Item[]> {
  if (told) return item.type === "code_interpreter_call" ? told.map(renamed(where.python)) : [...told];
  const read = Item.parse(item);
  switch (read.type) {
    case "message":
      return [await toldMessage(read, where)];
    case "function_call": {
      const { id: _, ...call } = read;
      // One that was never written to its end asks for no answer.
      return call.status === "incomplete" ? [] : [call];
    }
    case "function_call_output":
      return [await toldOutput(read, where)];
    case "code_interpreter_call":
      return hostedPair(read, where.python);
    case "reasoning":
      return [openReasoning(read.encrypted_content) ?? read];
    case "compaction":
      return compaction(read.encrypted_content);
  }
}

async function toldMessage(message: MessageItem, where: ToldOptions & { at: number }): Promise<MessageItem> {
  const { id: _, ...rest } = message;
  const { content } = rest;
  if (typeof content === "string") return rest;
  const parts = await Promise.all(
    content.map((part, index) => toldPart(part, { ...where, param: `input[${where.at}].content[${index}]` })),
  );
  return { ...rest, content: parts.flat() };
}

async function toldOutput(
  { id: _, ...output }: FunctionCallOutputItem,
  where: ToldOptions & { at: number },
): Promise<FunctionCallOutputItem> {
  if (typeof output.output === "string") return output;
  const parts = await Promise.all(
    output.output.map((part, index) =>
      toldPart(part, { ...where, param: `input[${where.at}].output[${index}]` }),
    ),
  );
  return { ...output, output: parts.flat() as InputPart[] };
}

async function toldPart(
  part: MessagePart,
  where: ToldOptions & { at: number; param: string },
): Promise<MessagePart[]> {
  if (part.type === "input_file" || part.type === "input_image")
    return where.files.told(part, { param: where.param, fresh: where.at >= 0 });
  // Citations are the client's; to a model they are no part of what it said.
  return part.type === "output_text" ? [{ ...part, annotations: [] }] : [part];
}

/** Code that a client replays, with as much of its output as the client has. */
function hostedPair(item: CodeInterpreterCallItem, python: string): Item[] {
  const callId = `call_${item.id}`;
  const printed = item.outputs?.map((output) => (output.type === "logs" ? output.logs : "[a picture]"));
  const text = printed
    ? printed.join("\n") || "(nothing was printed)"
    : "(what it printed is not known any more)";
  return [
    {
      type: "function_call",
      call_id: callId,
      name: python,
      arguments: JSON.stringify({ code: item.code ?? "" }),
    },
    { type: "function_call_output", call_id: callId, output: boundOutput({ kind: "text", text }).text },
  ];
}

function renamed(python: string): (item: Item) => Item {
  return (item) =>
    item.type === "function_call" && item.arguments.includes('"code"') ? { ...item, name: python } : item;
}

function compaction(content: string): Item[] {
  const opened = openCompaction(content);
  if (!opened) {
    throw new WireError({
      status: 400,
      message:
        "The encrypted content of a compaction item could not be read: it was not made by this server.",
      code: "invalid_encrypted_content",
      param: "input",
    });
  }
  const summary: Item[] =
    opened.summary === "" ? [] : [{ type: "compaction", encrypted_content: opened.summary }];
  return [...summary, ...opened.kept];
}
