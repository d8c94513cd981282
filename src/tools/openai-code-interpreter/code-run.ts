import {
  type CodeInterpreterCallItem,
  FileCitation,
  type Item,
  type MessageItem,
} from "../../protocol/items.ts";
import type { ProviderCall } from "../provider-tool.ts";
import type { ToolResult } from "../tool.ts";
import { splitLogs } from "./traceback.ts";

/** One run of code in OpenAI's container, as far as the provider tells. */
export interface CodeRun {
  readonly code: string;
  readonly stdout: string;
  /** The traceback, where the logs end in one. */
  readonly stderr: string;
  /** Null where nothing tells: the call was cut short, or completed without a word, as one that raised may do. */
  readonly exitCode: number | null;
  /** What the assistant's next message says of files that were made. */
  readonly citations: readonly FileCitation[];
  readonly containerId: string;
  /** Pictures that were shown, as URLs; mostly data URLs. */
  readonly images: readonly string[];
  readonly status: CodeInterpreterCallItem["status"];
}

const MAX_TEXT = 1 << 20;

/** Every code interpreter call of these items; a message's citations belong to the last call in their container before it. */
export function readCodeRuns(items: readonly Item[]): ProviderCall<CodeRun>[] {
  const calls: ProviderCall<CodeRun>[] = [];
  for (const item of items) {
    if (item.type === "code_interpreter_call") {
      const value = codeRun(item);
      calls.push({ callId: item.id, payload: item, value, code: value.code });
    }
    if (item.type !== "message" || item.role !== "assistant") continue;
    for (const citation of citationsOf(item)) {
      const index = calls.findLastIndex((call) => call.value.containerId === citation.container_id);
      const call = calls[index];
      if (!call) continue;
      const citations = [...call.value.citations, citation];
      calls[index] = { ...call, value: { ...call.value, citations } };
    }
  }
  return calls;
}

export function citationsOf(message: MessageItem): FileCitation[] {
  if (typeof message.content === "string") return [];
  return message.content
    .flatMap((part) => (part.type === "output_text" ? part.annotations : []))
    .flatMap((annotation) => {
      const parsed = FileCitation.safeParse(annotation);
      return parsed.success ? [parsed.data] : [];
    });
}

/** What the model reads, and whether the code ran through. */
export function codeRunResult(run: CodeRun): ToolResult<CodeRun> {
  const success = run.status === "completed" && run.stderr === "";
  return { message: messageOf(run), value: run, success };
}

function messageOf(run: CodeRun): string {
  const said = [run.stdout.trimEnd(), run.stderr].filter((text) => text !== "");
  if (run.status === "failed") said.push("The provider reports that the code interpreter failed.");
  else if (run.status !== "completed") said.push("The provider ended the call before the code had finished.");
  if (said.length === 0) said.push("Code executed. No output.");
  return said.join("\n");
}

function codeRun(item: CodeInterpreterCallItem): CodeRun {
  const outputs = item.outputs ?? [];
  const logs = outputs.flatMap((output) => (output.type === "logs" ? [output.logs] : []));
  const { stdout, stderr } = splitLogs(joinLogs(logs));
  const raised = stderr !== "" || item.status === "failed";
  const told = item.status === "completed" && outputs.length > 0;
  return {
    code: item.code ?? "",
    stdout: bounded(stdout),
    stderr: bounded(stderr),
    exitCode: raised ? 1 : told ? 0 : null,
    citations: [],
    containerId: item.container_id,
    images: outputs.flatMap((output) => (output.type === "image" ? [output.url] : [])),
    status: item.status,
  };
}

function joinLogs(logs: readonly string[]): string {
  return logs
    .map((text, index) => (index < logs.length - 1 && !text.endsWith("\n") ? `${text}\n` : text))
    .join("");
}

function bounded(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const half = MAX_TEXT / 2;
  return `${text.slice(0, half)}\n… ${text.length - MAX_TEXT} characters cut …\n${text.slice(-half)}`;
}
