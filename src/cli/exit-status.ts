import { type ErrorCode, GloveboxError } from "../errors.ts";

export const exitStatus = {
  well: 0,
  failed: 1,
  usage: 2,
  noSandbox: 3,
  noModel: 4,
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
  "model-unknown": exitStatus.usage,
  "model-unreachable": exitStatus.noModel,
  "model-refused": exitStatus.noModel,
  "model-protocol": exitStatus.noModel,
  "content-filtered": exitStatus.noModel,
  aborted: exitStatus.interrupted,
};

export function statusOf(error: unknown): number {
  if (!(error instanceof GloveboxError)) return exitStatus.failed;
  return byCode[error.code] ?? exitStatus.failed;
}
