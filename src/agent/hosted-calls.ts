import type { Item } from "../protocol/items.ts";
import { boundOutput } from "../tools/bound-output.ts";
import { settleProviderCalls } from "../tools/provider-tool.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { ToolContext, ToolResult } from "../tools/tool.ts";

/** What a call that the provider ran itself came to. */
export interface HostedCall {
  readonly callId: string;
  readonly tool: string;
  readonly result: ToolResult;
}

export interface HostedOptions {
  readonly registry: ToolRegistry;
  readonly contextOf: (callId: string) => ToolContext;
  readonly onLog?: (line: string) => void;
}

/** Reads the calls that the provider has run out of a step's items; the provider has told the model of them already. */
export async function settleHostedCalls(
  items: readonly Item[],
  options: HostedOptions,
): Promise<HostedCall[]> {
  const { registry, contextOf, onLog } = options;
  const settled = await settleProviderCalls({
    tools: registry.tools,
    items,
    contextFor: contextOf,
    ...(onLog ? { onLog } : {}),
  });
  return settled.map(({ tool, call: { callId }, result }) => {
    const output = boundOutput(result.message).text;
    contextOf(callId).emit({ type: "tool-end", callId, tool: tool.name, success: result.success, output });
    return { callId, tool: tool.name, result };
  });
}
