import type { OpenAI } from "openai";
import { GloveboxError } from "../../errors.ts";
import { type FunctionCallOutputItem, type InputPart, textOf } from "../../protocol/items.ts";
import { chatSpec, type ToolChoice, type ToolSpec } from "../../protocol/tool-specs.ts";
import { callArguments, type Exchange, type Piece, toExchanges } from "../exchanges.ts";
import type { ModelRequest } from "../model.ts";
import type { Provider } from "../providers.ts";
import { reasoningText, unseal } from "../sealed.ts";

type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming;

export interface ChatBody {
  readonly model: string;
  readonly provider: Provider;
  readonly request: ModelRequest;
  /** False for servers that refuse to be asked for a count of tokens. */
  readonly askUsage: boolean;
}

export function chatBody({ model, provider, request, askUsage }: ChatBody): Params {
  const tools = request.tools.map((tool) => functionTool(tool, provider));
  const { toolChoice, textFormat, parallelToolCalls, maxOutputTokens } = request;
  const mostTokens = provider.ownDialect ? "max_completion_tokens" : "max_tokens";
  const body = {
    model,
    stream: true,
    messages: chatMessages(request, provider),
    ...(askUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolChoice && tools.length > 0 ? { tool_choice: chatToolChoice(toolChoice) } : {}),
    ...(parallelToolCalls === undefined || tools.length === 0
      ? {}
      : { parallel_tool_calls: parallelToolCalls }),
    ...(maxOutputTokens === undefined ? {} : { [mostTokens]: maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.reasoningEffort === undefined ? {} : { reasoning_effort: request.reasoningEffort }),
    ...(textFormat ? { response_format: { type: "json_schema", json_schema: textFormat } } : {}),
  };
  return body as unknown as Params;
}

function functionTool(tool: ToolSpec, provider: Provider): object {
  if (tool.type === "function") return chatSpec(tool);
  throw new GloveboxError(
    "provider-tool",
    `${provider.name} does not run ${tool.type} itself; take a model of openai/…, or leave that tool out.`,
  );
}

function chatToolChoice(choice: ToolChoice): unknown {
  if (typeof choice === "string" || choice.type !== "function") return choice;
  return { type: "function", function: { name: choice.name } };
}

function chatMessages(request: ModelRequest, provider: Provider): object[] {
  const { system, exchanges } = toExchanges(request.instructions, request.input);
  const thoughtful = exchangesWithReasoning(exchanges);
  return [
    ...(system ? [{ role: "system", content: system }] : []),
    ...exchanges.flatMap((exchange) => messagesOf(exchange, provider, thoughtful.has(exchange))),
  ];
}

/** Reasoning goes back where calls came of it: there servers want it, elsewhere some refuse it. */
function exchangesWithReasoning(exchanges: readonly Exchange[]): Set<Exchange> {
  const found = new Set<Exchange>();
  let turn: Exchange[] = [];
  const close = () => {
    if (turn.some((exchange) => exchange.role === "tool")) for (const exchange of turn) found.add(exchange);
    turn = [];
  };
  for (const exchange of exchanges) {
    if (exchange.role === "user") close();
    else turn.push(exchange);
  }
  close();
  return found;
}

function messagesOf(exchange: Exchange, provider: Provider, withReasoning: boolean): object[] {
  switch (exchange.role) {
    case "user":
      return [{ role: "user", content: userContent(exchange.parts, provider) }];
    case "assistant":
      return assistantMessage(exchange.pieces, withReasoning ? provider.name : undefined);
    case "tool":
      return [
        ...exchange.answers.map(({ call, output }) => ({
          role: "tool",
          tool_call_id: call.call_id,
          content: textOf(output) || (typeof output === "string" ? "" : "See the picture below."),
        })),
        // A tool's message holds text only; what it shows comes right after.
        ...picturesOf(exchange.answers, provider),
      ];
  }
}

function assistantMessage(pieces: readonly Piece[], reasoningOf: string | undefined): object[] {
  const text = pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join("");
  const calls = pieces.flatMap((piece) => (piece.type === "call" ? [piece.item] : []));
  if (text === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...replayed(pieces, reasoningOf),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((call) => ({
              id: call.call_id,
              type: "function",
              // Servers fill templates with the parsed arguments and fail on what is not an object.
              function: { name: call.name, arguments: JSON.stringify(callArguments(call)) },
            })),
          }),
    },
  ];
}

function replayed(pieces: readonly Piece[], provider: string | undefined): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const piece of pieces) {
    const note = piece.type === "reasoning" ? unseal(piece.item) : undefined;
    if (piece.type !== "reasoning" || note?.glovebox !== provider || !note?.field) continue;
    fields[note.field] = `${fields[note.field] ?? ""}${reasoningText(piece.item)}`;
  }
  return fields;
}

function userContent(parts: readonly InputPart[], provider: Provider): string | object[] {
  if (parts.every((part) => part.type === "input_text")) {
    return parts.map((part) => (part.type === "input_text" ? part.text : "")).join("\n\n");
  }
  return parts.map((part) => chatPart(part, provider));
}

function chatPart(part: InputPart, provider: Provider): object {
  if (part.type === "input_text") return { type: "text", text: part.text };
  if (part.type === "input_image" && part.image_url) {
    const detail = part.detail && part.detail !== "original" ? { detail: part.detail } : {};
    return { type: "image_url", image_url: { url: part.image_url, ...detail } };
  }
  if (part.type === "input_file" && provider.ownDialect && (part.file_id || part.file_data)) {
    const { file_id, file_data, filename } = part;
    const file = Object.entries({ file_id, file_data, filename }).filter(([, value]) => value);
    return { type: "file", file: Object.fromEntries(file) };
  }
  const name = part.type === "input_file" ? (part.filename ?? "a file") : "a picture";
  return { type: "text", text: `[${name} is not shown: this model's server cannot be sent it]` };
}

function picturesOf(
  answers: readonly { readonly output: FunctionCallOutputItem["output"] }[],
  provider: Provider,
): object[] {
  const parts = answers.flatMap(({ output }) =>
    typeof output === "string" ? [] : output.filter((part) => part.type !== "input_text"),
  );
  if (parts.length === 0) return [];
  const label = { type: "text", text: "[What the tools above returned besides text]" };
  return [{ role: "user", content: [label, ...parts.map((part) => chatPart(part, provider))] }];
}
