import type { AgentEvent } from "../protocol/events.ts";
import { EventBus } from "../support/event-bus.ts";
import { auditLog } from "./audit-log.ts";
import { redactor } from "./redact.ts";
import { openSpans } from "./spans.ts";

export interface TelemetryOptions {
  /** The audit log; without it none is written. */
  readonly file?: string;
  readonly session?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly onLog?: (line: string) => void;
}

/** One listener for all that is recorded about the agents' work. It never fails a turn. */
export async function openTelemetry(options: TelemetryOptions = {}): Promise<(event: AgentEvent) => void> {
  const { file, session, env = process.env, onLog } = options;
  const redact = redactor(env);
  const bus = new EventBus<AgentEvent>((error) => onLog?.(`An event was not recorded: ${error}`));
  if (file !== undefined) {
    bus.on(
      auditLog({ file, redact, ...(session === undefined ? {} : { session }), ...(onLog ? { onLog } : {}) }),
    );
  }
  const spans = await openSpans({ env, redact });
  if (spans) bus.on(spans);
  return (event) => bus.emit(event);
}
