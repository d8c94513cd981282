import { type ErrorCode, GloveboxError } from "../errors.ts";

export const exitStatus = {
  well: 0,
  failed: 1,
  usage: 2,
  noSandbox: 3,
  timeLimit: 124,
  hangup: 129,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;

const byCode: Partial<Record<ErrorCode, number>> = {
  usage: exitStatus.usage,
  environment: exitStatus.noSandbox,
  "sandbox-unavailable": exitStatus.noSandbox,
  aborted: exitStatus.interrupted,
};

export function statusOf(error: unknown): number {
  if (!(error instanceof GloveboxError)) return exitStatus.failed;
  return byCode[error.code] ?? exitStatus.failed;
}
