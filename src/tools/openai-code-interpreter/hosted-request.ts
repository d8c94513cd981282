import type { ResponseCreateParamsNonStreaming, ResponseInput } from "openai/resources/responses/responses";
import type { TextFormat } from "../../models/model.ts";
import type { Item } from "../../protocol/items.ts";
import type { HostedSpec } from "../../protocol/tool-specs.ts";
import { type ProjectedFile, projectedFilesInWords } from "./hosted-container.ts";

export interface HostedRequestParts {
  readonly model: string;
  readonly input: readonly Item[];
  readonly instructions?: string;
  readonly spec: HostedSpec;
  readonly files: readonly ProjectedFile[];
  readonly toolChoice?: "auto" | "required" | { readonly type: "code_interpreter" };
  readonly textFormat?: TextFormat;
  readonly maxOutputTokens?: number;
  readonly previousResponseId?: string;
}

/** The body of one blocking request: instructions and question in `input`, the tool, and the answer's shape beside it. */
export function hostedRequest(parts: HostedRequestParts): ResponseCreateParamsNonStreaming {
  const told = [parts.instructions ?? "", projectedFilesInWords(parts.files)].filter((text) => text !== "");
  const instructions = told.map((text) => ({
    type: "message" as const,
    role: "developer" as const,
    content: [{ type: "input_text" as const, text }],
  }));
  return {
    model: parts.model,
    input: [...instructions, ...parts.input] as ResponseInput,
    tools: [parts.spec as { type: "code_interpreter"; container: string }],
    tool_choice: parts.toolChoice ?? "auto",
    include: ["code_interpreter_call.outputs"],
    ...(parts.textFormat ? { text: { format: wireFormat(parts.textFormat) } } : {}),
    ...(parts.maxOutputTokens === undefined ? {} : { max_output_tokens: parts.maxOutputTokens }),
    ...(parts.previousResponseId ? { previous_response_id: parts.previousResponseId } : {}),
  };
}

function wireFormat({ name, schema, strict = true, description }: TextFormat) {
  return { type: "json_schema" as const, name, schema, strict, ...(description ? { description } : {}) };
}
