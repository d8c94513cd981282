import type { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { Item } from "../protocol/items.ts";
import type { HostedSpec } from "../protocol/tool-specs.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

/** A call that the provider has run already. */
export interface ProviderCall<Value = unknown> {
  readonly callId: string;
  /** The item as it came; a tool without a handler of its own reads its parameters out of it. */
  readonly payload: Item;
  readonly value: Value;
  /** What was run, for whoever watches. */
  readonly code?: string;
}

/** A tool that the model's provider runs itself. */
export interface ProviderTool<Config = unknown, Value = unknown, Parameters extends z.ZodType = z.ZodType>
  extends Tool<Parameters, Value> {
  readonly provider: string;
  readonly config: Config;
  hosted(): HostedSpec;
  /** The calls of this tool among the items of a step, in order, as typed values. */
  readProviderOutput(items: readonly Item[]): readonly ProviderCall<Value>[];
  /** Makes a result of what the provider gave; without it the payload goes to `run`. */
  handleProviderOutput?(value: Value, context: ToolContext): Promise<ToolResult<Value>> | ToolResult<Value>;
}

export interface SettledCall {
  readonly tool: ProviderTool;
  readonly call: ProviderCall;
  readonly result: ToolResult;
}

export interface SettleOptions {
  readonly tools: Iterable<Tool>;
  /** What the model said in one step. */
  readonly items: readonly Item[];
  readonly contextFor: (callId: string) => ToolContext;
  readonly onLog?: (line: string) => void;
}

export function isProviderTool(tool: Tool): tool is ProviderTool {
  return tool.provider !== undefined && tool.hosted !== undefined && "readProviderOutput" in tool;
}

/** Gives every tool what its provider ran in a step, one call after the other. Only an abort of the turn is thrown. */
export async function settleProviderCalls(options: SettleOptions): Promise<SettledCall[]> {
  const settled: SettledCall[] = [];
  for (const tool of options.tools) {
    if (!isProviderTool(tool)) continue;
    for (const call of tool.readProviderOutput(options.items)) {
      const context = options.contextFor(call.callId);
      const shown = call.code === undefined ? {} : { code: call.code };
      context.emit({ type: "tool-start", callId: call.callId, tool: tool.name, ...shown });
      settled.push({ tool, call, result: await settledOrTold(tool, call, context, options.onLog) });
    }
  }
  return settled;
}

/** What a call that the provider ran comes to: the tool's handler first, else `run` with the payload as parameters. */
export async function settleProviderCall<Value>(
  tool: ProviderTool<unknown, Value>,
  call: ProviderCall<Value>,
  context: ToolContext,
): Promise<ToolResult<Value>> {
  if (tool.handleProviderOutput) return tool.handleProviderOutput(call.value, context);
  return tool.run(tool.parameters.parse(call.payload), context);
}

async function settledOrTold(
  tool: ProviderTool,
  call: ProviderCall,
  context: ToolContext,
  onLog: SettleOptions["onLog"],
): Promise<ToolResult> {
  try {
    return await settleProviderCall(tool, call, context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    onLog?.(
      `What ${tool.provider} ran for ${tool.name} was not handled: ${error instanceof Error ? error.stack : error}`,
    );
    const said = error instanceof GloveboxError ? error.message : `The tool "${tool.name}" failed inside.`;
    return {
      message: { kind: "error", name: "ToolFailed", message: said },
      value: call.value,
      success: false,
    };
  }
}
