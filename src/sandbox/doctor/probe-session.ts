import type { SessionLimits } from "../../config.ts";
import type { Walls } from "../../protocol/messages.ts";
import type { PythonResult } from "../../protocol/result.ts";

/** What the doctor needs of a session. */
export interface ProbeSession {
  run(code: string, options?: { timeoutMs?: number }): Promise<PythonResult>;
  walls(): Promise<Walls>;
  close(): Promise<void>;
}

export type OpenProbeSession = (limits: Partial<SessionLimits>) => Promise<ProbeSession>;
