import type { CellResult } from "../protocol/result.ts";
import type { ToolContext } from "./tool.ts";

/** Runs a cell for a call: within the turn's time, stopped with it, its events told as the call's. */
export async function runCell(code: string, context: ToolContext): Promise<CellResult> {
  const { session, callId, signal, emit, deadline } = context;
  const timeoutMs = deadline === undefined ? undefined : Math.max(1, deadline - performance.now());
  const result = await session.run(code, {
    signal,
    ...(timeoutMs !== undefined && timeoutMs < session.limits.timeoutMs ? { timeoutMs } : {}),
    onEvent: (event) => emit({ ...event, callId }),
  });
  for (const { path, bytes } of result.files ?? []) emit({ type: "file", callId, path, bytes });
  return result;
}
