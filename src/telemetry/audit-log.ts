import type { AgentEvent } from "../protocol/events.ts";
import type { CodeInterpreterCallItem } from "../protocol/items.ts";
import type { CellResult } from "../protocol/result.ts";
import { AuditFile } from "./audit-file.ts";
import { type Redact, redactor } from "./redact.ts";

export interface AuditLogOptions {
  readonly file: string;
  /** The session that the cells run in. */
  readonly session?: string;
  readonly mostBytes?: number;
  readonly older?: number;
  readonly redact?: Redact;
  readonly onLog?: (line: string) => void;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

const MiB = 1 << 20;
const MOST_CODE = 64 * 1024;
const MOST_OUTPUT = 16 * 1024;

interface TurnFacts {
  readonly agent: string;
  readonly turn: string;
  readonly conversation: string;
  readonly model: string;
}

interface OpenCell {
  readonly startedMs: number;
  readonly call: string;
  readonly cell: number;
  readonly code: string;
}

/** One line of JSON for every piece of code that was run, and what it came to. It never fails a turn. */
export function auditLog(options: AuditLogOptions): (event: AgentEvent) => void {
  const log = new AuditLog(options);
  return (event) => log.take(event);
}

class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #file: AuditFile;
  readonly #redact: Redact;
  readonly #now: () => number;
  readonly #turns = new Map<string, { facts: TurnFacts; cells: Map<string, OpenCell> }>();
  #failing = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    const { file, mostBytes = 16 * MiB, older = 3 } = options;
    this.#file = new AuditFile({ path: file, mostBytes, older });
    this.#redact = options.redact ?? redactor();
    this.#now = options.now ?? Date.now;
  }

  take(event: AgentEvent): void {
    try {
      this.#take(event);
    } catch (error) {
      // Told again only after it has worked in between.
      if (!this.#failing)
        this.#options.onLog?.(`The audit log ${this.#options.file} cannot be written: ${error}`);
      this.#failing = true;
    }
  }

  #take(event: AgentEvent): void {
    const { agent, turn } = event;
    const open = this.#turns.get(turn);
    switch (event.type) {
      case "turn-start": {
        const facts = { agent, turn, conversation: event.conversation, model: event.model };
        this.#turns.set(turn, { facts, cells: new Map() });
        return;
      }
      case "cell-start": {
        const { callId: call, cell, code } = event;
        open?.cells.set(`${call} ${cell}`, { startedMs: this.#now(), call, cell, code });
        return;
      }
      case "cell-end": {
        const key = `${event.callId} ${event.cell}`;
        const begun = open?.cells.get(key);
        open?.cells.delete(key);
        if (open && begun) this.#write(open.facts, begun, event.result);
        return;
      }
      case "item":
        if (event.item.type === "code_interpreter_call" && open) this.#writeHosted(open.facts, event.item);
        return;
      case "turn-end":
        this.#turns.delete(turn);
        for (const cell of open?.cells.values() ?? []) this.#write(open?.facts, cell, undefined);
    }
  }

  /** Without a result the turn ended before the cell did. */
  #write(facts: TurnFacts | undefined, begun: OpenCell, result: CellResult | undefined): void {
    const { startedMs, code, ...where } = begun;
    this.#append({
      time: new Date(startedMs).toISOString(),
      session: this.#options.session,
      ...facts,
      ...where,
      code: this.#clean(code, MOST_CODE),
      kind: result?.kind ?? "unfinished",
      output: this.#clean(result ? outputOf(result) : "", MOST_OUTPUT),
      notice: result?.notice === undefined ? undefined : this.#clean(result.notice, MOST_OUTPUT),
      duration_ms: result?.duration_ms ?? this.#now() - startedMs,
      files: (result?.files ?? []).map(({ path, bytes }) => ({ path: this.#redact(path), bytes })),
    });
  }

  /** Code that the model's provider ran on its own machines. */
  #writeHosted(facts: TurnFacts, item: CodeInterpreterCallItem): void {
    const { id, status, container_id, code, outputs } = item;
    const output = (outputs ?? []).map((each) => (each.type === "logs" ? each.logs : each.url)).join("\n");
    this.#append({
      time: new Date(this.#now()).toISOString(),
      container: container_id,
      ...facts,
      call: id,
      code: this.#clean(code ?? "", MOST_CODE),
      kind: status,
      output: this.#clean(output, MOST_OUTPUT),
    });
  }

  #append(record: Record<string, unknown>): void {
    this.#file.append(JSON.stringify(record));
    this.#failing = false;
  }

  /** Cut after the secrets are out: half a secret would not be known for one. */
  #clean(text: string, most: number): string {
    return cutMiddle(this.#redact(text), most);
  }
}

function outputOf(result: CellResult): string {
  const value =
    result.kind === "text" ? result.text : result.kind === "error" ? result.traceback : result.repr;
  return [result.stdout, result.stderr, value].filter(Boolean).join("\n");
}

function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = most >> 1;
  const cut = `\n… ${text.length - 2 * half} characters cut …\n`;
  return `${text.slice(0, half)}${cut}${text.slice(-half)}`.toWellFormed();
}
