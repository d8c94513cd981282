// look the tool up → read its arguments → run it → bound what it says
import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { FunctionCallItem } from "../protocol/items.ts";
import { boundOutput } from "./bound-output.ts";
import type { ToolRegistry } from "./registry.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

export interface Dispatched {
  /** What the model reads. */
  readonly output: string;
  readonly value: unknown;
  readonly success: boolean;
}

export interface DispatchOptions {
  readonly registry: ToolRegistry;
  readonly context: ToolContext;
  readonly outputBytes?: number;
  readonly onLog?: (line: string) => void;
}

/** More than any code that a model writes at once; what is longer is not worth the time of reading it. */
const MOST_ARGUMENTS = 1 << 20;

type ErrorName = "UnknownTool" | "BadArguments" | "ToolFailed" | "Aborted";

/**
 * Runs one call. Whatever goes wrong with it is told to the model; only an abort of the turn is thrown.
 */
export async function dispatch(call: FunctionCallItem, options: DispatchOptions): Promise<Dispatched> {
  const { registry, context } = options;
  const found = registry.get(call.name);
  const answer = (result: ToolResult) => bounded(result, options);
  if (!found || found.hosted) return answer(unknownTool(call.name, registry));
  const read = readArguments(found, call.arguments);
  if ("refused" in read) return answer(told("BadArguments", read.refused));
  try {
    context.emit({
      type: "tool-start",
      callId: call.call_id,
      tool: call.name,
      ...found.describe?.(read.parameters),
    });
    return answer(await found.run(read.parameters, context));
  } catch (error) {
    if (context.signal.aborted) throw error;
    options.onLog?.(`The tool ${call.name} failed: ${error instanceof Error ? error.stack : error}`);
    return answer(told("ToolFailed", inWords(call.name, error)));
  }
}

export function abortedOutput(): string {
  return boundOutput(told("Aborted", "The user stopped this call; what it came to is not known.").message)
    .text;
}

function bounded({ message, value, success }: ToolResult, options: DispatchOptions): Dispatched {
  const limit = options.outputBytes === undefined ? {} : { bytes: options.outputBytes };
  return { output: boundOutput(message, limit).text, value, success };
}

function told(name: ErrorName, message: string, more: Record<string, unknown> = {}): ToolResult {
  return { message: { kind: "error", name, message, ...more }, value: undefined, success: false };
}

function unknownTool(name: string, registry: ToolRegistry): ToolResult {
  const tools = registry.tools.filter((tool) => !tool.hosted).map((tool) => tool.name);
  return told("UnknownTool", `There is no tool "${name.slice(0, 100)}". Call one of those that there are.`, {
    tools,
  });
}

/** Errors of ours name the fix and may be told; of others only that there was one. */
function inWords(name: string, error: unknown): string {
  if (error instanceof GloveboxError) return error.message;
  return `The tool "${name}" failed inside. Try other arguments or another way.`;
}

function readArguments(tool: Tool, text: string): { parameters: unknown } | { refused: string } {
  if (text.length > MOST_ARGUMENTS) {
    const [most, length] = [MOST_ARGUMENTS, text.length].map((count) => count.toLocaleString("en"));
    return { refused: `The arguments have ${length} characters; ${most} are allowed. Send less at a time.` };
  }
  let given: unknown;
  try {
    given = text.trim() === "" ? {} : JSON.parse(text, exactIntegers);
  } catch (error) {
    return { refused: `The arguments are not JSON: ${(error as Error).message}. Send one JSON object.` };
  }
  const read = tool.parameters.safeParse(given);
  if (read.success) return { parameters: read.data };
  const again = tool.parameters.safeParse(withoutNulls(given));
  if (again.success) return { parameters: again.data };
  return { refused: `The arguments do not fit: ${z.prettifyError(read.error).slice(0, 2000)}` };
}

/** An integer that a number would round is refused by a schema for numbers, and arrives whole where any value may. */
function exactIntegers(_: string, value: unknown, written: { source?: string } = {}): unknown {
  const rounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return rounded && /^-?\d+$/.test(written.source ?? "") ? BigInt(written.source as string) : value;
}

/** Strict function calling sends null for what is left out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}
