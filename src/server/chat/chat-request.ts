import { z } from "zod";
import {
  absent,
  CodeInterpreterTool,
  FunctionTool,
  MOST_ITEMS,
  MOST_PARTS,
  MOST_TOOLS,
} from "../responses/request.ts";

const text = z.string();
const TextPart = z.looseObject({ type: z.literal("text"), text });
const UserPart = z.discriminatedUnion("type", [
  TextPart,
  z.looseObject({
    type: z.literal("image_url"),
    image_url: z.looseObject({ url: text, detail: z.enum(["low", "high", "auto"]).nullish() }),
  }),
  z.looseObject({
    type: z.literal("file"),
    file: z.looseObject({ file_id: text.nullish(), file_data: text.nullish(), filename: text.nullish() }),
  }),
]);
const SaidPart = z.discriminatedUnion("type", [
  TextPart,
  z.looseObject({ type: z.literal("refusal"), refusal: text }),
]);
const ToolCall = z.looseObject({
  id: text.min(1),
  type: z.literal("function").default("function"),
  function: z.looseObject({ name: text.min(1), arguments: text }),
});

export const ChatMessage = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.union([text, z.array(TextPart).max(MOST_PARTS)]) }),
  z.looseObject({
    role: z.literal("developer"),
    content: z.union([text, z.array(TextPart).max(MOST_PARTS)]),
  }),
  z.looseObject({ role: z.literal("user"), content: z.union([text, z.array(UserPart).max(MOST_PARTS)]) }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.union([text, z.array(SaidPart).max(MOST_PARTS)]).nullish(),
    refusal: text.nullish(),
    tool_calls: z.array(ToolCall).max(MOST_TOOLS).nullish(),
  }),
  z.looseObject({
    role: z.literal("tool"),
    tool_call_id: text.min(1),
    content: z.union([text, z.array(TextPart).max(MOST_PARTS)]),
  }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

const ChatFunction = z.looseObject({
  type: z.literal("function"),
  function: FunctionTool.omit({ type: true }),
});
/** Not OpenAI's: clients that know only chat get Python by naming it here. */
const ChatCode = CodeInterpreterTool.extend({
  container: CodeInterpreterTool.shape.container.default({ type: "auto" }),
});
export const ChatTool = z.discriminatedUnion("type", [ChatFunction, ChatCode]);
export type ChatTool = z.infer<typeof ChatTool>;

const NamedFunction = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({ name: text }),
});
const NamedTool = z.discriminatedUnion("type", [
  NamedFunction,
  z.looseObject({ type: z.literal("code_interpreter") }),
]);
export const ChatToolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    NamedFunction,
    z.looseObject({ type: z.literal("code_interpreter") }),
    z.looseObject({
      type: z.literal("allowed_tools"),
      allowed_tools: z.looseObject({
        mode: z.enum(["auto", "required"]),
        tools: z.array(NamedTool).min(1).max(MOST_TOOLS),
      }),
    }),
  ]),
]);
export type ChatToolChoice = z.infer<typeof ChatToolChoice>;

export const ChatFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({
      name: text,
      schema: z.record(z.string(), z.unknown()).nullish(),
      strict: z.boolean().nullish(),
      description: text.nullish(),
    }),
  }),
]);

const tokens = z.number().int().min(1).nullish();

export const CreateChatCompletion = z.looseObject({
  model: text.min(1).max(256).nullish(),
  messages: z.array(ChatMessage).min(1).max(MOST_ITEMS),
  tools: z.array(ChatTool).max(MOST_TOOLS).nullish(),
  tool_choice: ChatToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_completion_tokens: tokens,
  max_tokens: tokens,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  reasoning_effort: text.nullish(),
  response_format: ChatFormat.nullish(),
  stream: z.boolean().nullish(),
  user: text.nullish(),
  safety_identifier: text.nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, { error: "one answer at a time is offered" }).nullish(),
  stop: z
    .unknown()
    .refine((stop) => stop === undefined || stop === null || (Array.isArray(stop) && stop.length === 0), {
      error: "stop sequences are not offered; leave it out",
    })
    .optional(),
  logprobs: z.literal(false, { error: "log probabilities are not offered; leave it out" }).nullish(),
  functions: absent("functions outside 'tools' are not offered; send them there"),
  audio: absent("sounds are not offered; leave it out"),
  modalities: z
    .array(z.literal("text", { error: "text is the only modality here" }))
    .max(1)
    .nullish(),
});
export type CreateChatCompletion = z.infer<typeof CreateChatCompletion>;
