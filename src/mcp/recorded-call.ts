import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AgentEvent } from "../protocol/events.ts";
import { noUsage } from "../protocol/usage.ts";
import { auditLog } from "../telemetry/audit-log.ts";
import type { ToolEvent } from "../tools/tool.ts";

export interface RecordedCallParts {
  /** Where the audit log is; without it nothing is written. */
  readonly home: string | undefined;
  readonly session: string;
  readonly onLog: (line: string) => void;
}

const AGENT = "mcp";

/** One call as the audit log sees it: a turn of its own, whose model nobody knows. */
export class RecordedCall implements Disposable {
  readonly #turn = randomUUID();
  readonly #log: (event: AgentEvent) => void;

  constructor({ home, session, onLog }: RecordedCallParts) {
    this.#log = home === undefined ? () => {} : auditLog({ file: join(home, "audit.jsonl"), session, onLog });
    this.take({ type: "turn-start", model: "unknown", provider: AGENT, conversation: session });
  }

  take(event: ToolEvent): void {
    this.#log({ ...event, agent: AGENT, turn: this.#turn });
  }

  [Symbol.dispose](): void {
    this.take({ type: "turn-end", reason: "answer", answer: "", usage: noUsage });
  }
}
