import { GloveboxError } from "../errors.ts";

/** Primary result codes of SQLite. */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const TOO_BIG = 18;
const NOT_A_DATABASE = 26;

export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** What SQLite or the file system says, with what to do about it. */
export function storeError(path: string, error: unknown): GloveboxError {
  if (error instanceof GloveboxError) return error;
  const said = error instanceof Error ? error.message : String(error);
  return new GloveboxError("store", `The store ${path} ${explain(path, resultCode(error), said)}`, {
    cause: error,
  });
}

function explain(path: string, code: number | undefined, said: string): string {
  switch (code) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return `is damaged (${said}). Nothing was changed in it. Move it aside with "mv ${path} ${path}.damaged" and a new one is begun; "sqlite3 ${path}.damaged .recover" shows what can still be read.`;
    case BUSY:
    case LOCKED:
      return "is held by another process; wait until that has finished, or end it, and try again.";
    case FULL:
      return "cannot grow: the disk is full. Free some space and try again.";
    case READ_ONLY:
    case CANNOT_OPEN:
      return `cannot be opened for writing (${said}); make its folder yours, or set GLOVEBOX_HOME to one that is.`;
    case TOO_BIG:
      return "takes no entry as large as this one; save less of it, or put it into a file.";
    default:
      return `failed (${said}); see that its folder is there and can be written, or set GLOVEBOX_HOME to another one.`;
  }
}

/** SQLite's extended codes carry the primary one in their lowest byte. */
function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
