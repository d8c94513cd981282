export type ErrorCode =
  | "usage"
  | "environment"
  | "sandbox-unavailable"
  | "session-closed"
  | "kernel-lost"
  | "kernel-protocol"
  | "file-name"
  | "file-missing"
  | "file-kind"
  | "file-too-large"
  | "variables"
  | "model-unknown"
  | "model-unreachable"
  | "model-refused"
  | "model-protocol"
  | "content-filtered"
  | "tool"
  | "provider-tool"
  | "container-expired"
  | "store"
  | "aborted";

/** The one base of every error Glovebox throws; the message names the fix. */
export class GloveboxError extends Error {
  override readonly name = "GloveboxError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
