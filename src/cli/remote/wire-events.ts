import { z } from "zod";
import { CodeInterpreterCallItem } from "../../protocol/items.ts";
import { PythonResult } from "../../protocol/result.ts";
import { Usage } from "../../protocol/usage.ts";

const Message = z.looseObject({
  type: z.literal("message"),
  content: z.array(
    z.union([
      z.looseObject({ type: z.literal("output_text"), text: z.string() }),
      z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
      z.looseObject({ type: z.string() }),
    ]),
  ),
});
const Call = z.looseObject({
  ...CodeInterpreterCallItem.shape,
  code: z.string().nullish(),
  outputs: CodeInterpreterCallItem.shape.outputs.nullish(),
});
export type WireCall = z.infer<typeof Call>;
const OutputItem = z.union([Message, Call, z.looseObject({ type: z.string() })]);

const WireResponse = z.looseObject({
  id: z.string().min(1).max(128),
  status: z.string(),
  model: z.string(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string() }).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: Usage.loose().nullish(),
});
export type WireResponse = z.infer<typeof WireResponse>;

const ofResponse = { response: WireResponse };
const ofItem = { item: OutputItem };
const delta = { item_id: z.string(), delta: z.string() };

const wireEvents = [
  z.looseObject({ type: z.literal("response.created"), ...ofResponse }),
  z.looseObject({ type: z.literal("response.completed"), ...ofResponse }),
  z.looseObject({ type: z.literal("response.incomplete"), ...ofResponse }),
  z.looseObject({ type: z.literal("response.failed"), ...ofResponse }),
  z.looseObject({ type: z.literal("response.output_item.added"), ...ofItem }),
  z.looseObject({ type: z.literal("response.output_item.done"), ...ofItem }),
  z.looseObject({ type: z.literal("response.output_text.delta"), ...delta }),
  z.looseObject({ type: z.literal("response.refusal.delta"), ...delta }),
  z.looseObject({ type: z.literal("response.reasoning_summary_text.delta"), ...delta }),
  z.looseObject({ type: z.literal("response.reasoning_text.delta"), ...delta }),
  z.looseObject({ type: z.literal("response.code_interpreter_call_code.delta"), ...delta }),
  z.looseObject({
    type: z.literal("response.code_interpreter_call_code.done"),
    item_id: z.string(),
    code: z.string(),
  }),
  z.looseObject({ type: z.literal("response.code_interpreter_call.interpreting"), item_id: z.string() }),
  z.looseObject({ type: z.literal("glovebox.code_interpreter_call.stdout.delta"), ...delta }),
  z.looseObject({ type: z.literal("glovebox.code_interpreter_call.stderr.delta"), ...delta }),
  z.looseObject({
    type: z.literal("glovebox.code_interpreter_call.result"),
    item_id: z.string(),
    result: PythonResult.and(z.object({ cell: z.number().int(), duration_ms: z.number() })),
  }),
  z.looseObject({
    type: z.literal("error"),
    code: z.string().nullish(),
    message: z.string(),
  }),
] as const;

export const WireEvent = z.discriminatedUnion("type", wireEvents);
export type WireEvent = z.infer<typeof WireEvent>;

const known: ReadonlySet<unknown> = new Set(wireEvents.map(({ shape }) => shape.type.value));

/** Undefined for an event that says nothing to us; throws for one that should and has another form. */
export function readWireEvent(event: unknown): WireEvent | undefined {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
  return known.has(type) ? WireEvent.parse(event) : undefined;
}

export function isCall(item: { readonly type: string }): item is WireCall {
  return item.type === "code_interpreter_call";
}

/** What a message says; empty for an item that is none. */
export function saidIn(item: { readonly type: string }): string {
  const read = Message.safeParse(item).data;
  return (read?.content ?? [])
    .map((part) => ("text" in part ? part.text : "refusal" in part ? part.refusal : ""))
    .filter((text) => typeof text === "string")
    .join("");
}
