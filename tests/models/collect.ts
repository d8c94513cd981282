import { GloveboxError } from "../../src/errors.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/models/model.ts";
import type { RetryClock } from "../../src/models/retry.ts";
import { type Item, userMessage } from "../../src/protocol/items.ts";
import type { FunctionSpec } from "../../src/protocol/tool-specs.ts";

export const pythonTool: FunctionSpec = {
  type: "function",
  name: "python_repl",
  description: "Runs Python.",
  parameters: {
    type: "object",
    properties: { code: { type: "string" } },
    required: ["code"],
    additionalProperties: false,
  },
  strict: true,
};

/** A request with nothing but a question, and whatever is given besides. */
export function asking(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    instructions: "Be brief.",
    input: [userMessage("What is 6 times 7?")],
    tools: [],
    signal: new AbortController().signal,
    ...more,
  };
}

export async function collect(model: Model, request: ModelRequest = asking()): Promise<ModelEvent[]> {
  return await Array.fromAsync(model.stream(request));
}

export function itemsIn(events: readonly ModelEvent[]): Item[] {
  return events.flatMap((event) => (event.type === "item" ? [event.item] : []));
}

export function finishIn(events: readonly ModelEvent[]): ModelEvent | undefined {
  return events.find((event) => event.type === "finish");
}

/** The error that asking ends with, and what was heard before it. */
export async function failing(
  model: Model,
  request: ModelRequest = asking(),
): Promise<{ code: string; message: string; events: ModelEvent[] }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(request)) events.push(event);
  } catch (error) {
    if (error instanceof GloveboxError) return { code: error.code, message: error.message, events };
    throw error;
  }
  throw new Error(`The model answered: ${JSON.stringify(events)}`);
}

/** Waits for nothing and remembers for how long it should have. */
export class TestClock implements RetryClock {
  readonly waits: number[] = [];

  async sleep(ms: number): Promise<void> {
    this.waits.push(ms);
  }

  random(): number {
    return 1;
  }
}

/** A conversation in which two calls were made at once and answered the other way round. */
export function withTwoCalls(reasoning: readonly Item[] = []): Item[] {
  return [
    userMessage("Compare a and b."),
    ...reasoning,
    {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Looking.", annotations: [] }],
    },
    { type: "function_call", call_id: "call_a", name: "python_repl", arguments: '{"code":"a"}' },
    { type: "function_call", call_id: "call_b", name: "python_repl", arguments: "not json" },
    { type: "function_call_output", call_id: "call_b", output: "2" },
    { type: "function_call_output", call_id: "call_a", output: "1" },
  ];
}
