import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { GloveboxError } from "../../errors.ts";
import type { FunctionCallOutputItem, InputPart } from "../../protocol/items.ts";
import type { ToolChoice, ToolSpec } from "../../protocol/tool-specs.ts";
import { type Answer, callArguments, type Exchange, type Piece, toExchanges } from "../exchanges.ts";
import type { ModelRequest } from "../model.ts";
import { reasoningText, type SealedNote, unseal } from "../sealed.ts";
import { callIdFor } from "./call-ids.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type FilePart = Extract<
  Extract<LanguageModelV4Message, { role: "user" }>["content"][number],
  { type: "file" }
>;
type Effort = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

const efforts: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** A request as the AI SDK's models take it. */
export function callOptions(
  provider: string,
  request: ModelRequest,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { tools, toolChoice, textFormat, reasoningEffort } = request;
  const once = request.parallelToolCalls === false && tools.length > 0;
  return {
    prompt: promptOf(provider, request),
    abortSignal: signal,
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { topP: request.topP }),
    ...(reasoningEffort === undefined ? {} : { reasoning: effortOf(reasoningEffort) }),
    ...(tools.length > 0 ? { tools: tools.map((tool) => functionTool(tool, provider)) } : {}),
    ...(toolChoice && tools.length > 0 ? { toolChoice: choiceOf(toolChoice) } : {}),
    ...(textFormat ? { responseFormat: { type: "json", ...formatOf(textFormat) } } : {}),
    ...(once ? { providerOptions: oneCallAtATime(provider) } : {}),
  };
}

function functionTool(tool: ToolSpec, provider: string) {
  if (tool.type === "function") {
    const { type, name, description, parameters } = tool;
    return { type, name, description, inputSchema: { ...parameters } };
  }
  throw new GloveboxError(
    "provider-tool",
    `${provider} does not run ${tool.type} itself; take a model of openai/…, or leave that tool out.`,
  );
}

function choiceOf(choice: ToolChoice): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  if (typeof choice === "string") return { type: choice };
  return { type: "tool", toolName: choice.type === "function" ? choice.name : choice.type };
}

function formatOf({ name, schema, description }: NonNullable<ModelRequest["textFormat"]>) {
  return { name, schema: { ...schema }, ...(description ? { description } : {}) };
}

function oneCallAtATime(provider: string): SharedV4ProviderOptions {
  const own = provider === "anthropic" ? { disableParallelToolUse: true } : { parallelToolCalls: false };
  return { [provider]: own };
}

function effortOf(effort: string): Effort {
  if (efforts.includes(effort)) return effort as Effort;
  throw new GloveboxError(
    "usage",
    `The reasoning effort is ${JSON.stringify(effort)}; give one of ${efforts.join(", ")}.`,
  );
}

function promptOf(provider: string, request: ModelRequest): LanguageModelV4Prompt {
  const { system, exchanges } = toExchanges(request.instructions, request.input);
  return [
    ...(system ? [{ role: "system" as const, content: system }] : []),
    ...exchanges.flatMap((exchange) => messageOf(exchange, provider)),
  ];
}

function messageOf(exchange: Exchange, provider: string): LanguageModelV4Message[] {
  switch (exchange.role) {
    case "user":
      return [
        {
          role: "user",
          content: exchange.parts.map((part) => fileOf(part) ?? { type: "text", text: wordsOf(part) }),
        },
      ];
    case "assistant": {
      const content = assistantParts(exchange.pieces, provider);
      return content.length > 0 ? [{ role: "assistant", content }] : [];
    }
    case "tool":
      return [{ role: "tool", content: exchange.answers.map((answer) => toolResult(answer, provider)) }];
  }
}

/** What was sealed for a text or a call stands right before it. */
function assistantParts(pieces: readonly Piece[], provider: string): AssistantPart[] {
  const parts: AssistantPart[] = [];
  let waiting: SealedNote | undefined;
  const options = (of: SealedNote["of"]) => {
    const metadata = waiting?.of === of ? waiting.metadata : undefined;
    if (waiting?.of === of) waiting = undefined;
    return metadata ? { providerOptions: metadata as SharedV4ProviderOptions } : {};
  };
  for (const piece of pieces) {
    if (piece.type === "text") {
      if (piece.text !== "") parts.push({ type: "text", text: piece.text, ...options("text") });
    } else if (piece.type === "call") {
      const { call_id, name } = piece.item;
      parts.push({
        type: "tool-call",
        toolCallId: callIdFor(provider, call_id),
        toolName: name,
        input: callArguments(piece.item),
        ...options("call"),
      });
    } else {
      const note = unseal(piece.item);
      // Another provider's reasoning cannot be checked here, and is refused.
      if (note?.glovebox !== provider) continue;
      waiting = note;
      if (note.of === "reasoning") {
        parts.push({ type: "reasoning", text: reasoningText(piece.item), ...options("reasoning") });
      } else if (note.of === "blank") parts.push({ type: "text", text: "", ...options("blank") });
    }
  }
  return parts;
}

function toolResult({ call, output }: Answer, provider: string) {
  return {
    type: "tool-result" as const,
    toolCallId: callIdFor(provider, call.call_id),
    toolName: call.name,
    output: resultOutput(output),
  };
}

function resultOutput(output: FunctionCallOutputItem["output"]): LanguageModelV4ToolResultOutput {
  if (typeof output === "string") return { type: "text", value: output };
  if (output.every((part) => part.type === "input_text")) {
    return { type: "text", value: output.map(wordsOf).join("\n") };
  }
  return {
    type: "content",
    value: output.map((part) => fileOf(part) ?? { type: "text", text: wordsOf(part) }),
  };
}

function wordsOf(part: InputPart): string {
  if (part.type === "input_text") return part.text;
  const name = part.type === "input_file" ? (part.filename ?? "a file") : "a picture";
  return `[${name} is not shown: this model's provider cannot be sent it]`;
}

/** Pictures and files whose bytes or address we have; an id of another provider's store is neither. */
function fileOf(part: InputPart): FilePart | undefined {
  if (part.type === "input_text") return undefined;
  const url = part.type === "input_image" ? part.image_url : (part.file_data ?? part.file_url);
  const inline = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s.exec(url ?? "");
  const name = part.type === "input_file" && part.filename ? { filename: part.filename } : {};
  if (inline) {
    return {
      type: "file",
      mediaType: inline[1] ?? "",
      data: { type: "data", data: inline[2] ?? "" },
      ...name,
    };
  }
  const address = URL.parse(url ?? "");
  if (address?.protocol !== "https:" && address?.protocol !== "http:") return undefined;
  const mediaType = part.type === "input_image" ? "image/*" : "application/pdf";
  return { type: "file", mediaType, data: { type: "url", url: address }, ...name };
}
