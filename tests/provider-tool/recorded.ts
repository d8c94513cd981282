/** Shapes of OpenAI's wire, as recordings have them; ids and sizes are made up. */

export const AUTO_CONTAINER = "cntr_690aa1f2b5c88190a7e1d3";

export function codeCall(call: {
  id?: string;
  code?: string | null;
  status?: string;
  container?: string;
  outputs?: unknown[] | null;
}) {
  return {
    id: call.id ?? "ci_690aa1f6d1e08190b2",
    type: "code_interpreter_call",
    status: call.status ?? "completed",
    code: call.code === undefined ? "print(6 * 7)" : call.code,
    container_id: call.container ?? AUTO_CONTAINER,
    outputs: call.outputs === undefined ? [{ type: "logs", logs: "42\n" }] : call.outputs,
  };
}

export function fileCitation(citation: { container?: string; file: string; filename: string; at?: number }) {
  const start = citation.at ?? 0;
  const link = `sandbox:/mnt/data/${citation.filename}`;
  return {
    type: "container_file_citation",
    container_id: citation.container ?? AUTO_CONTAINER,
    file_id: citation.file,
    filename: citation.filename,
    start_index: start,
    end_index: start + link.length,
  };
}

export function message(text: string, annotations: unknown[] = []) {
  return {
    id: "msg_690aa1fd02d88190",
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", annotations, logprobs: [], text }],
  };
}

export const reasoning = { id: "rs_690aa1f4a0c08190", type: "reasoning", summary: [] };

export function response(output: unknown[], changes: Record<string, unknown> = {}) {
  return {
    id: "resp_690aa1f1e0c48190",
    object: "response",
    created_at: 1762304497,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    model: "gpt-5.1-2025-11-13",
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: "none", summary: null },
    service_tier: "default",
    store: true,
    temperature: 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: [{ type: "code_interpreter", container: { type: "auto", memory_limit: "1g" } }],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage: {
      input_tokens: 1380,
      input_tokens_details: { cached_tokens: 1024, cache_write_tokens: 0 },
      output_tokens: 96,
      output_tokens_details: { reasoning_tokens: 32 },
      total_tokens: 1476,
    },
    user: null,
    metadata: {},
    ...changes,
  };
}

export function refusal(text: string, code: string | null = null) {
  return { error: { message: text, type: "invalid_request_error", param: null, code } };
}
