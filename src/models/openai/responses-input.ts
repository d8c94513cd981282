import type { OpenAI } from "openai";
import { GloveboxError } from "../../errors.ts";
import type { Item, MessageItem, ReasoningItem } from "../../protocol/items.ts";
import { summaryInWords } from "../exchanges.ts";
import type { ModelRequest } from "../model.ts";
import { unseal } from "../sealed.ts";

type Params = OpenAI.Responses.ResponseCreateParamsStreaming;

export interface ResponsesBody {
  readonly model: string;
  readonly request: ModelRequest;
  /** False for models that refuse to give their reasoning in sealed form. */
  readonly sealedReasoning: boolean;
}

/** The request body. Nothing is stored with the provider: the history is ours, and is sent whole. */
export function responsesBody({ model, request, sealedReasoning }: ResponsesBody): Params {
  const { tools, toolChoice, parallelToolCalls, textFormat, reasoningEffort } = request;
  const hosted = tools.some((tool) => tool.type === "code_interpreter");
  const body = {
    model,
    stream: true,
    store: false,
    ...(request.instructions ? { instructions: request.instructions } : {}),
    input: request.input.flatMap(inputItem),
    include: [
      ...(sealedReasoning ? ["reasoning.encrypted_content"] : []),
      ...(hosted ? ["code_interpreter_call.outputs"] : []),
    ],
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolChoice && tools.length > 0 ? { tool_choice: toolChoice } : {}),
    ...(parallelToolCalls === undefined || tools.length === 0
      ? {}
      : { parallel_tool_calls: parallelToolCalls }),
    ...(request.maxOutputTokens === undefined ? {} : { max_output_tokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(reasoningEffort === undefined ? {} : { reasoning: { effort: reasoningEffort } }),
    ...(textFormat ? { text: { format: { type: "json_schema", ...textFormat } } } : {}),
  };
  return body as unknown as Params;
}

function inputItem(item: Item): object[] {
  switch (item.type) {
    case "message":
      return [messageItem(item)];
    case "function_call":
      return [withOwnId(item, "fc_")];
    case "function_call_output": {
      const { id: _, status: __, ...output } = item;
      return [output];
    }
    case "reasoning":
      return reasoningItem(item);
    case "code_interpreter_call":
      return [item];
    case "compaction":
      return [
        {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: summaryInWords(item.encrypted_content) }],
        },
      ];
    default:
      throw new GloveboxError(
        "model-protocol",
        "The history holds an item that no model takes; start a new conversation.",
      );
  }
}

function messageItem(item: MessageItem): object {
  const { status, ...message } = withOwnId(item, "msg_") as MessageItem;
  // Only what the API itself made has a state there.
  return item.role === "assistant" && message.id ? { ...message, status: status ?? "completed" } : message;
}

/** Reasoning that another provider sealed means nothing here, and neither does an empty item. */
function reasoningItem(item: ReasoningItem): object[] {
  if (unseal(item) || (!item.encrypted_content && !item.content?.length)) return [];
  return [item];
}

/** Ids are sent back only where the API gave them. */
function withOwnId<Of extends { id?: string | undefined }>(item: Of, prefix: string): Of | Omit<Of, "id"> {
  const { id, ...rest } = item;
  return id?.startsWith(prefix) ? item : rest;
}
