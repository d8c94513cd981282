import type { FunctionCallItem, FunctionCallOutputItem } from "../protocol/items.ts";
import { type Dispatched, dispatch } from "../tools/dispatch.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { ToolContext } from "../tools/tool.ts";

export interface CallsOptions {
  readonly registry: ToolRegistry;
  readonly contextOf: (callId: string) => ToolContext;
  readonly outputBytes: number;
  /** Answers the calls without running them: the turn may take no further step. */
  readonly refuse: boolean;
  readonly append: (output: FunctionCallOutputItem) => Promise<void>;
  readonly onLog?: (line: string) => void;
}

const REFUSED = JSON.stringify({
  kind: "error",
  name: "LimitReached",
  message: "This turn has no step left; the call was not run.",
});

/** Those that whoever asked is to answer. */
export function clientCalls(calls: readonly FunctionCallItem[], registry: ToolRegistry): FunctionCallItem[] {
  return calls.filter((call) => registry.get(call.name)?.client);
}

/** Runs the calls of one step: neighbours that allow it beside each other, the others one after another. */
export async function runCalls(calls: readonly FunctionCallItem[], options: CallsOptions): Promise<void> {
  for (const group of groupsOf(calls, options.registry)) {
    const ended = await Promise.allSettled(group.map((call) => runCall(call, options)));
    const failed = ended.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  }
}

function groupsOf(calls: readonly FunctionCallItem[], registry: ToolRegistry): FunctionCallItem[][] {
  const groups: FunctionCallItem[][] = [];
  let beside = false;
  for (const call of calls) {
    const parallel = registry.get(call.name)?.parallel ?? false;
    if (parallel && beside) groups.at(-1)?.push(call);
    else groups.push([call]);
    beside = parallel;
  }
  return groups;
}

async function runCall(call: FunctionCallItem, options: CallsOptions): Promise<void> {
  const context = options.contextOf(call.call_id);
  context.signal.throwIfAborted();
  const { output, success }: Dispatched = options.refuse
    ? { output: REFUSED, value: undefined, success: false }
    : await dispatch(call, { ...options, context });
  await options.append({ type: "function_call_output", call_id: call.call_id, output });
  context.emit({ type: "tool-end", callId: call.call_id, tool: call.name, success, output });
}
