import type { CreateResponse, RequestTool, RequestToolChoice } from "../responses/request.ts";
import type { ChatMessage, ChatTool, ChatToolChoice, CreateChatCompletion } from "./chat-request.ts";

/** After a model's name it gives the model Python, for clients that can set nothing but a name. */
export const PYTHON_SUFFIX = "+python";

/** The same request as the Responses API has it; nothing of it is kept. */
export function asResponse(chat: CreateChatCompletion): CreateResponse {
  const named = chat.model?.endsWith(PYTHON_SUFFIX) ? chat.model.slice(0, -PYTHON_SUFFIX.length) : chat.model;
  const tools = (chat.tools ?? []).map(toolOf);
  if (named !== chat.model && !tools.some((tool) => tool.type === "code_interpreter"))
    tools.push({ type: "code_interpreter", container: { type: "auto" } });
  return {
    model: named || null,
    input: chat.messages.flatMap(itemsOf),
    tools,
    tool_choice: chat.tool_choice ? choiceOf(chat.tool_choice) : null,
    parallel_tool_calls: chat.parallel_tool_calls,
    max_output_tokens: chat.max_completion_tokens ?? chat.max_tokens,
    temperature: chat.temperature,
    top_p: chat.top_p,
    reasoning: chat.reasoning_effort ? { effort: chat.reasoning_effort } : null,
    text: formatOf(chat),
    include: ["code_interpreter_call.outputs"],
    stream: chat.stream,
    store: false,
  };
}

function itemsOf(message: ChatMessage): object[] {
  switch (message.role) {
    case "tool": {
      const { tool_call_id, content } = message;
      const output = typeof content === "string" ? content : content.map((part) => part.text).join("");
      return [{ type: "function_call_output", call_id: tool_call_id, output }];
    }
    case "assistant":
      return [...saidItems(message), ...(message.tool_calls ?? []).map(callItem)];
    case "user":
      return [{ type: "message", role: "user", content: userContent(message.content) }];
    default: {
      const { role, content } = message;
      const parts =
        typeof content === "string" ? content : content.map(({ text }) => ({ type: "input_text", text }));
      return [{ type: "message", role, content: parts }];
    }
  }
}

function saidItems({ content, refusal }: Extract<ChatMessage, { role: "assistant" }>): object[] {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : (content ?? []);
  const said = parts.map((part) =>
    part.type === "text"
      ? { type: "output_text", text: part.text }
      : { type: "refusal", refusal: part.refusal },
  );
  if (refusal) said.push({ type: "refusal", refusal });
  const empty = said.every((part) => "text" in part && part.text === "");
  return empty ? [] : [{ type: "message", role: "assistant", content: said }];
}

function callItem(call: { id: string; function: { name: string; arguments: string } }): object {
  return {
    type: "function_call",
    call_id: call.id,
    name: call.function.name,
    arguments: call.function.arguments,
  };
}

function userContent(content: UserContent): string | object[] {
  if (typeof content === "string") return content;
  return content.map(userPart);
}

function userPart(part: Exclude<UserContent, string>[number]): object {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image_url":
      return { type: "input_image", image_url: part.image_url.url, detail: part.image_url.detail ?? "auto" };
    case "file": {
      const { file_id, file_data, filename } = part.file;
      return { type: "input_file", file_id, file_data, filename };
    }
  }
}

type UserContent = Extract<ChatMessage, { role: "user" }>["content"];

function toolOf(tool: ChatTool): RequestTool {
  return tool.type === "function" ? { ...tool.function, type: "function" } : tool;
}

function choiceOf(choice: ChatToolChoice): RequestToolChoice {
  if (typeof choice === "string") return choice;
  switch (choice.type) {
    case "function":
      return { type: "function", name: choice.function.name };
    case "code_interpreter":
      return { type: "code_interpreter" };
    case "allowed_tools": {
      const { mode, tools } = choice.allowed_tools;
      const named = tools.map((tool) =>
        tool.type === "function"
          ? { type: "function" as const, name: tool.function.name }
          : { type: "code_interpreter" as const },
      );
      return { type: "allowed_tools", mode, tools: named };
    }
  }
}

function formatOf({ response_format: format }: CreateChatCompletion): CreateResponse["text"] {
  if (!format) return null;
  if (format.type !== "json_schema") return { format };
  const { name, schema, strict, description } = format.json_schema;
  return { format: { type: "json_schema", name, schema: schema ?? {}, strict, description } };
}
