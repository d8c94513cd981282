import { z } from "zod";
import {
  CodeInterpreterCallItem,
  InputPart,
  MessageItem,
  MessagePart,
  ReasoningItem,
} from "../../protocol/items.ts";
import type { KeptItem, WireItem } from "../../store/kept-item.ts";
import { type IdPrefix, newId } from "../ids.ts";
import { invalidRequest } from "../invalid-request.ts";
import { unsupported, WireError } from "../wire-error.ts";
import { MOST_ITEMS, MOST_PARTS } from "./request.ts";

const id = z.string().min(1).max(256).nullish();
const status = z.enum(["in_progress", "completed", "incomplete"]).nullish();

const Message = z
  .object({
    type: z.literal("message").default("message"),
    id,
    role: MessageItem.shape.role,
    content: z.union([z.string(), z.array(MessagePart).max(MOST_PARTS)]),
    status,
    phase: MessageItem.shape.phase,
  })
  .transform(({ content, ...message }) => ({
    ...message,
    content: typeof content === "string" ? [textPart(message.role, content)] : content,
    status: message.status ?? "completed",
  }));
const FunctionCall = z.object({
  type: z.literal("function_call"),
  id,
  call_id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
  status,
});
const FunctionOutput = z.object({
  type: z.literal("function_call_output"),
  id,
  call_id: z.string().min(1),
  output: z.union([z.string(), z.array(InputPart).max(MOST_PARTS)]),
  status,
});
const CodeInterpreterCall = CodeInterpreterCallItem.extend({
  id,
  status: CodeInterpreterCallItem.shape.status.default("completed"),
  code: z
    .string()
    .nullish()
    .transform((code) => code ?? null),
  outputs: CodeInterpreterCallItem.shape.outputs.optional().transform((outputs) => outputs ?? null),
});
const Reasoning = ReasoningItem.extend({ id, summary: ReasoningItem.shape.summary.default([]) });
const Compaction = z.object({ type: z.literal("compaction"), id, encrypted_content: z.string() });
const Reference = z.object({ type: z.literal("item_reference").nullish(), id: z.string().min(1) });

const KINDS: Readonly<Record<string, { readonly schema: z.ZodType; readonly prefix: IdPrefix }>> = {
  message: { schema: Message, prefix: "msg_" },
  function_call: { schema: FunctionCall, prefix: "fc_" },
  function_call_output: { schema: FunctionOutput, prefix: "fc_" },
  code_interpreter_call: { schema: CodeInterpreterCall, prefix: "ci_" },
  reasoning: { schema: Reasoning, prefix: "rs_" },
  compaction: { schema: Compaction, prefix: "cmp_" },
};

/** Finds an item that is only named. */
export type FindItem = (id: string) => Promise<KeptItem | undefined>;

/** What a client sends as input, item by item: each read as what it says it is, and with an id. */
export async function readInputItems(
  input: string | readonly unknown[],
  find: FindItem,
  param = "input",
): Promise<KeptItem[]> {
  if (typeof input === "string") return [keptItem({ type: "message", role: "user", content: input }, param)];
  if (input.length > MOST_ITEMS) {
    throw new WireError({
      status: 400,
      message: `'${param}' has ${input.length} items; at most ${MOST_ITEMS} are taken.`,
      param,
    });
  }
  const kept: KeptItem[] = [];
  for (const [at, item] of input.entries()) {
    const where = `${param}[${at}]`;
    const reference = isReference(item) ? Reference.safeParse(item).data : undefined;
    kept.push(reference ? await found(reference.id, find, where) : keptItem(item, where));
  }
  return kept;
}

function isReference(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { type } = item as { type?: unknown };
  return type === "item_reference" || (type === undefined && !("role" in item) && "id" in item);
}

async function found(id: string, find: FindItem, param: string): Promise<KeptItem> {
  const item = await find(id);
  if (item) return item;
  throw new WireError({ status: 404, message: `Item with id '${id.slice(0, 100)}' not found.`, param });
}

function keptItem(given: unknown, param: string): KeptItem {
  const type = (given as { type?: unknown } | null)?.type ?? "message";
  const kind = typeof type === "string" && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) {
    const known = [...Object.keys(KINDS), "item_reference"].map((name) => `'${name}'`).join(", ");
    throw unsupported(
      `${param}.type`,
      `Invalid value: '${String(type).slice(0, 100)}'. Supported values are: ${known}.`,
    );
  }
  const read = kind.schema.safeParse(given, { reportInput: true });
  if (!read.success) throw prefixed(invalidRequest(read.error), param);
  const item = read.data as WireItem;
  const itemId = typeof item.id === "string" ? item.id : newId(kind.prefix);
  return { id: itemId, item: { ...withoutEmpty(item), type: item.type, id: itemId } };
}

function textPart(role: string, text: string): MessagePart {
  return role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };
}

function withoutEmpty(item: WireItem): Record<string, unknown> {
  const kept = Object.entries(item).filter(
    ([name, value]) => value !== undefined && !(name === "phase" && !value),
  );
  return Object.fromEntries(kept);
}

/** The field's whole name, from the beginning of the request. */
function prefixed(error: WireError, param: string): WireError {
  const inner = error.param ?? "";
  const whole = inner === "" ? param : `${param}.${inner}`;
  const message =
    inner === ""
      ? error.message.replace("the body", `'${param}'`)
      : error.message.replace(`'${inner}'`, `'${whole}'`);
  return new WireError({ status: 400, message, code: error.code, param: whole });
}
