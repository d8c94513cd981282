import type { AgentEvent } from "../protocol/events.ts";
import { type Redact, redactor } from "./redact.ts";
import { isContentWanted } from "./span-content.ts";
import { TurnSpans } from "./turn-spans.ts";

export interface SpansOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly redact?: Redact;
}

/**
 * OpenTelemetry spans by the GenAI conventions, for a process that has OpenTelemetry; undefined for one that has not.
 * They go wherever the process's own SDK sends them.
 */
export async function openSpans(
  options: SpansOptions = {},
): Promise<((event: AgentEvent) => void) | undefined> {
  const api = await import("@opentelemetry/api").catch(() => undefined);
  if (!api) return undefined;
  const env = options.env ?? process.env;
  const withContent = isContentWanted(env);
  const redact = options.redact ?? redactor(env);
  const turns = new Map<string, TurnSpans>();
  return (event) => {
    if (event.type === "turn-start") {
      // Asked for anew each time: an SDK may be set up after us.
      const tracer = api.trace.getTracer("glovebox");
      turns.set(event.turn, new TurnSpans({ api, tracer, start: event, withContent, redact }));
      return;
    }
    turns.get(event.turn)?.take(event);
    if (event.type === "turn-end") turns.delete(event.turn);
  };
}
