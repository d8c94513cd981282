import { createReadStream } from "node:fs";
import type { TurnResult } from "../agent/agent.ts";
import { GloveboxError } from "../errors.ts";
import { KeptSession } from "./kept-session.ts";
import type { OutFolder } from "./out-folder.ts";
import { oneLine } from "./safe-text.ts";

export interface SavedTurnFile {
  /** In the session. */
  readonly path: string;
  readonly bytes: number;
  /** On this machine. */
  readonly saved?: string;
}

export interface TurnSaving {
  readonly files: readonly SavedTurnFile[];
  readonly problems: readonly GloveboxError[];
}

/** Where the files of a turn are now: copied to --out, or kept with the session. */
export async function saveTurnFiles(
  turn: TurnResult,
  kept: KeptSession,
  out: OutFolder | undefined,
): Promise<TurnSaving> {
  const files: SavedTurnFile[] = [];
  const problems: GloveboxError[] = [];
  for (const { path, bytes } of turn.files) {
    const there = kept.locate(path);
    try {
      const saved = there && out ? await copy(there, path, out) : there;
      files.push({ path, bytes, ...(saved === undefined ? {} : { saved }) });
      if (there === undefined && out) throw notKept(path, out);
    } catch (error) {
      if (!(error instanceof GloveboxError)) throw error;
      problems.push(error);
    }
  }
  return { files, problems };
}

async function copy(from: string, path: string, out: OutFolder): Promise<string> {
  await out.save(path, createReadStream(from), Number.MAX_SAFE_INTEGER);
  return out.locate(KeptSession.nameOf(path) ?? "");
}

function notKept(path: string, out: OutFolder): GloveboxError {
  return new GloveboxError("file-missing", `Not saved to ${out.path}: ${oneLine(path)} (it is gone again).`);
}
