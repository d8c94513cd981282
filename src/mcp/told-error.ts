import { GloveboxError } from "../errors.ts";

/** The words of an error that may be told to a client: ours name the fix, those of others stay in the log. */
export function wordsOf(error: unknown): string | undefined {
  if (error instanceof GloveboxError) return error.message;
  // The server's own errors carry a status, and words for whoever asked.
  const isWireError = error instanceof Error && typeof (error as { status?: unknown }).status === "number";
  return isWireError ? error.message : undefined;
}
