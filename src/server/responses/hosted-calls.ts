import type { ContainerFileRecord } from "../containers/container-service.ts";
import type { CallOutput } from "./cell-outputs.ts";

/** What came of a call that was run here. */
export interface CallOutcome {
  readonly outputs: readonly CallOutput[];
}

/** The hosted calls of one response: which are run, what came of them, and which files they made. */
export class HostedCalls {
  readonly #most: number;
  readonly #admitted = new Set<string>();
  readonly #outcomes = new Map<string, CallOutcome>();
  readonly #made = new Map<string, ContainerFileRecord>();

  constructor(most: number = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** Whether this call is still within the number that the client allows; asked as soon as it begins to be written. */
  admit(callId: string): boolean {
    if (this.#admitted.has(callId)) return true;
    if (this.#admitted.size >= this.#most) return false;
    this.#admitted.add(callId);
    return true;
  }

  settle(callId: string, outcome: CallOutcome): void {
    this.#outcomes.set(callId, outcome);
  }

  outcomeOf(callId: string): CallOutcome | undefined {
    return this.#outcomes.get(callId);
  }

  made(files: readonly ContainerFileRecord[]): void {
    for (const file of files) this.#made.set(file.path, file);
  }

  /** Made or changed by this response, the last state of each. */
  get files(): ContainerFileRecord[] {
    return [...this.#made.values()];
  }
}
