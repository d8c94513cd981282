import type { CellResult, Glovebox, RunOptions, Session, SessionLimits } from "../../src/index.ts";
import type { HostTargets } from "./host-targets.ts";

/** What a case that must act from the host's side works with. */
export interface Scene {
  readonly box: Glovebox;
  readonly session: Session;
  readonly host: HostTargets;
  /** Runs a cell, bounded, and keeps its result with the case's others. */
  run(code: string, options?: RunOptions): Promise<CellResult>;
}

export interface HostileCase {
  readonly title: string;
  readonly cells?: readonly string[] | ((host: HostTargets) => readonly string[]);
  /** Follows the cells, for what a cell alone cannot do. */
  readonly act?: (scene: Scene) => Promise<void>;
  /** Judges the results of all cells in order. */
  readonly expect?: (results: readonly CellResult[]) => void;
  readonly timeoutMs?: number;
  readonly limits?: Partial<SessionLimits>;
  /** What of the session outlives the case; variables that are lost must be said to be. */
  readonly keeps?: "variables" | "files";
  readonly skip?: string | false;
}
