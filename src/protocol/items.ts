import { z } from "zod";

const id = z.string().min(1);
const status = z.enum(["in_progress", "completed", "incomplete"]);

export const InputText = z.object({ type: z.literal("input_text"), text: z.string() });
export const InputImage = z.object({
  type: z.literal("input_image"),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(["low", "high", "auto", "original"]).nullish(),
});
export const InputFile = z.object({
  type: z.literal("input_file"),
  file_id: z.string().nullish(),
  filename: z.string().nullish(),
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
});
export const InputPart = z.discriminatedUnion("type", [InputText, InputImage, InputFile]);
export type InputPart = z.infer<typeof InputPart>;

/** Points at a file of a session; the indices span the link's target in the text, the end exclusive. */
export const FileCitation = z.object({
  type: z.literal("container_file_citation"),
  container_id: z.string(),
  file_id: z.string(),
  filename: z.string(),
  start_index: z.number().int(),
  end_index: z.number().int(),
});
export type FileCitation = z.infer<typeof FileCitation>;
/** Other providers' annotations are passed on as they came. */
export const Annotation = z.union([FileCitation, z.looseObject({ type: z.string() })]);
export type Annotation = z.infer<typeof Annotation>;

export const OutputText = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(Annotation).default([]),
});
export const Refusal = z.object({ type: z.literal("refusal"), refusal: z.string() });
export const MessagePart = z.discriminatedUnion("type", [
  InputText,
  InputImage,
  InputFile,
  OutputText,
  Refusal,
]);
export type MessagePart = z.infer<typeof MessagePart>;

export const MessageItem = z.object({
  type: z.literal("message"),
  id: id.optional(),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: z.union([z.string(), z.array(MessagePart)]),
  status: status.optional(),
  /** Told back to the provider that said it. */
  phase: z.enum(["commentary", "final_answer"]).nullish(),
});
export type MessageItem = z.infer<typeof MessageItem>;

export const FunctionCallItem = z.object({
  type: z.literal("function_call"),
  id: id.optional(),
  call_id: id,
  name: z.string(),
  /** As the model wrote them; perhaps not JSON. */
  arguments: z.string(),
  status: status.optional(),
});
export type FunctionCallItem = z.infer<typeof FunctionCallItem>;

export const FunctionCallOutputItem = z.object({
  type: z.literal("function_call_output"),
  id: id.optional(),
  call_id: id,
  output: z.union([z.string(), z.array(InputPart)]),
  status: status.optional(),
});
export type FunctionCallOutputItem = z.infer<typeof FunctionCallOutputItem>;

/** Replayed as it came: providers refuse a call without the reasoning that led to it. */
export const ReasoningItem = z.looseObject({
  type: z.literal("reasoning"),
  id: z.string(),
  summary: z.array(z.looseObject({ type: z.string(), text: z.string() })),
  content: z.array(z.looseObject({ type: z.string(), text: z.string() })).nullish(),
  encrypted_content: z.string().nullish(),
});
export type ReasoningItem = z.infer<typeof ReasoningItem>;

export const CodeInterpreterCallItem = z.object({
  type: z.literal("code_interpreter_call"),
  id,
  status: z.enum(["in_progress", "interpreting", "completed", "incomplete", "failed"]),
  code: z.string().nullable(),
  container_id: z.string(),
  outputs: z
    .array(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("logs"), logs: z.string() }),
        z.object({ type: z.literal("image"), url: z.string() }),
      ]),
    )
    .nullable(),
});
export type CodeInterpreterCallItem = z.infer<typeof CodeInterpreterCallItem>;

/** What an earlier part of a conversation came to; ours has its summary as plain text. */
export const CompactionItem = z.object({
  type: z.literal("compaction"),
  id: id.optional(),
  encrypted_content: z.string(),
  /** How many items of the conversation, from its beginning, it stands for. */
  covers: z.number().int().nonnegative().optional(),
});
export type CompactionItem = z.infer<typeof CompactionItem>;

/** What was said, as the Responses API has it. */
export const Item = z.discriminatedUnion("type", [
  MessageItem,
  FunctionCallItem,
  FunctionCallOutputItem,
  ReasoningItem,
  CodeInterpreterCallItem,
  CompactionItem,
]);
export type Item = z.infer<typeof Item>;

export function userMessage(text: string): MessageItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

export function assistantMessage(text: string, message: { id?: string } = {}): MessageItem {
  return {
    type: "message",
    ...message,
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
    status: "completed",
  };
}

/** The words of a message or of an output; pictures and files have none. */
export function textOf(content: string | readonly MessagePart[]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => ("text" in part ? part.text : part.type === "refusal" ? part.refusal : ""))
    .join("");
}
