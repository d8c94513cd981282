import { z } from "zod";
import { memoryTiers } from "../containers/container-service.ts";

/** Items of one input, and parts of one of them. */
export const MOST_ITEMS = 10_000;
export const MOST_PARTS = 2_000;
export const MOST_TOOLS = 128;
const MOST_INCLUDED = 100;
const text = z.string();
const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((all) => Object.keys(all).length <= 16, {
    error: "at most 16 pairs",
  });

/** A field that must not be there; the words say why. */
export function absent(why: string) {
  return z
    .unknown()
    .refine((value) => value === undefined || value === null, { error: why })
    .optional();
}

/** What we have nothing for is tolerated here where it asks for details of tools that we do not offer. */
const Include = z.enum([
  "code_interpreter_call.outputs",
  "reasoning.encrypted_content",
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
]);
export type Include = z.infer<typeof Include>;

export const FunctionTool = z.looseObject({
  type: z.literal("function"),
  name: z
    .string()
    .regex(
      /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/,
      "a function's name is a letter, then letters, digits, _ and -, at most 64",
    ),
  description: text.nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
export type FunctionTool = z.infer<typeof FunctionTool>;

const AutoContainer = z.looseObject({
  type: z.literal("auto"),
  file_ids: z.array(text.min(1)).max(50).nullish(),
  memory_limit: z.enum(memoryTiers).nullish(),
  network_policy: z.looseObject({ type: z.literal("disabled") }).nullish(),
});
export const CodeInterpreterTool = z.looseObject({
  type: z.literal("code_interpreter"),
  container: z.union([text.min(1).max(64), AutoContainer]),
});
export type CodeInterpreterTool = z.infer<typeof CodeInterpreterTool>;

export const RequestTool = z.discriminatedUnion("type", [FunctionTool, CodeInterpreterTool]);
export type RequestTool = z.infer<typeof RequestTool>;

const NamedTool = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("function"), name: text }),
  z.looseObject({ type: z.literal("code_interpreter") }),
]);
export const RequestToolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("function"), name: text }),
    z.looseObject({ type: z.literal("code_interpreter") }),
    z.looseObject({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(NamedTool).min(1).max(MOST_TOOLS),
    }),
  ]),
]);
export type RequestToolChoice = z.infer<typeof RequestToolChoice>;

export const RequestFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, "a format's name has letters, digits, _ and -, at most 64"),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
    description: text.nullish(),
  }),
]);
export type RequestFormat = z.infer<typeof RequestFormat>;

const Conversation = z.union([text.min(1), z.looseObject({ id: text.min(1) }).transform(({ id }) => id)]);
const LEAST_OUTPUT_TOKENS = 16;
const LEAST_THRESHOLD = 1000;

/** What the answer to a request depends on, and input_tokens and compact take too. */
const Asked = {
  model: text.min(1).max(256).nullish(),
  input: z.union([text, z.array(z.unknown())]).nullish(),
  instructions: text.nullish(),
  previous_response_id: text.min(1).nullish(),
};

export const CreateResponse = z.looseObject({
  ...Asked,
  conversation: Conversation.nullish(),
  tools: z.array(RequestTool).max(MOST_TOOLS).nullish(),
  tool_choice: RequestToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tool_calls: z.number().int().min(1).nullish(),
  max_output_tokens: z.number().int().min(LEAST_OUTPUT_TOKENS).nullish(),
  include: z.array(Include).max(MOST_INCLUDED).nullish(),
  store: z.boolean().nullish(),
  metadata: Metadata.nullish(),
  text: z.looseObject({ format: RequestFormat.nullish(), verbosity: text.nullish() }).nullish(),
  reasoning: z.looseObject({ effort: text.nullish(), summary: text.nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.number().max(0, "log probabilities are not offered; leave it out").nullish(),
  background: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  context_management: z
    .array(
      z.looseObject({
        type: z.literal("compaction"),
        compact_threshold: z.number().int().min(LEAST_THRESHOLD).nullish(),
      }),
    )
    .max(1)
    .nullish(),
  prompt: absent("stored prompts are not offered; send the instructions themselves"),
  service_tier: text.nullish(),
  safety_identifier: text.nullish(),
  prompt_cache_key: text.nullish(),
  user: text.nullish(),
});
export type CreateResponse = z.infer<typeof CreateResponse>;

export const CountInput = z.looseObject({
  ...Asked,
  conversation: Conversation.nullish(),
  tools: z.array(RequestTool).max(MOST_TOOLS).nullish(),
});

export type CountRequest = z.infer<typeof CountInput>;

export const CompactInput = z.looseObject(Asked);
export type CompactRequest = z.infer<typeof CompactInput>;
export { Metadata as RequestMetadata };
