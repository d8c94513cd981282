import type { FunctionCallOutputItem, Item } from "../protocol/items.ts";

const ABORTED = JSON.stringify({
  kind: "error",
  name: "Aborted",
  message: "This call was stopped before it ended; what it came to is not known.",
});

/**
 * The items as providers accept them: every call has exactly one output after it, every output a call before it, and no
 * reasoning stands without what it led to. Ids of what is added come from the call's own, so that a prompt stays the same
 * from one reading to the next.
 */
export function repaired(items: readonly Item[], onLog: (line: string) => void = () => {}): Item[] {
  const willBeAnswered = answeredCalls(items);
  const called = new Set<string>();
  const answered = new Set<string>();
  const kept: Item[] = [];
  for (const item of items) {
    if (item.type === "function_call_output") {
      if (!called.has(item.call_id) || answered.has(item.call_id)) {
        onLog(`Dropped an output without its call: ${item.call_id}`);
        continue;
      }
      answered.add(item.call_id);
    }
    if (item.type === "function_call") {
      if (called.has(item.call_id)) {
        onLog(`Dropped a call whose id was used before: ${item.call_id}`);
        continue;
      }
      called.add(item.call_id);
    }
    kept.push(item);
    if (item.type === "function_call" && !willBeAnswered.has(item.call_id)) kept.push(aborted(item.call_id));
  }
  return withoutLooseReasoning(kept);
}

/** The calls that have an output somewhere after them. */
function answeredCalls(items: readonly Item[]): Set<string> {
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    if (item.type === "function_call") called.add(item.call_id);
    if (item.type === "function_call_output" && called.has(item.call_id)) answered.add(item.call_id);
  }
  return answered;
}

function aborted(callId: string): FunctionCallOutputItem {
  return { type: "function_call_output", id: `fco_${callId}_aborted`, call_id: callId, output: ABORTED };
}

/** Reasoning belongs to the model's next item; where a turn was stopped in between, it goes. */
function withoutLooseReasoning(items: readonly Item[]): Item[] {
  return items.filter((item, index) => {
    if (item.type !== "reasoning") return true;
    const next = items.slice(index + 1).find((later) => later.type !== "reasoning");
    if (!next || next.type === "function_call_output" || next.type === "compaction") return false;
    return next.type !== "message" || next.role === "assistant";
  });
}
