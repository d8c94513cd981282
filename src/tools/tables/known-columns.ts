import type { FileEntry } from "../../protocol/result.ts";
import type { Session } from "../../session/session.ts";

interface Known {
  readonly bytes: number;
  readonly modified_ms: number;
  readonly columns: readonly string[];
}

/** Goes with the session. */
const known = new WeakMap<Session, Map<string, Known>>();

export function rememberColumns(session: Session, file: FileEntry, columns: readonly string[]): void {
  const ofSession = known.get(session) ?? new Map<string, Known>();
  known.set(session, ofSession);
  ofSession.set(file.path, { bytes: file.bytes, modified_ms: file.modified_ms, columns });
}

/** The columns that a file had when it was loaded; nothing once it has changed. */
export function knownColumns(session: Session, file: FileEntry): readonly string[] | undefined {
  const found = known.get(session)?.get(file.path);
  return found?.bytes === file.bytes && found.modified_ms === file.modified_ms ? found.columns : undefined;
}
