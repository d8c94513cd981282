import { NamedFiles } from "../../agent/named-files.ts";
import { GloveboxError } from "../../errors.ts";
import { reason } from "../cell-sources.ts";
import type { Progress } from "../progress.ts";
import { bytesInWords, countOf } from "../quantities.ts";
import type { ServerApi } from "./server-api.ts";

export interface UploadFile {
  readonly path: string;
  /** In /mnt/data, which has no folders for what is uploaded. */
  readonly name: string;
  readonly bytes: number;
}

export interface Chosen {
  readonly files: readonly UploadFile[];
  /** In words: what is in a folder and is not sent. */
  readonly notices: readonly string[];
}

/** What the paths amount to, as where the sandbox is here: a file is itself, a folder its tables and text files. */
export async function chooseFiles(paths: readonly string[], signal: AbortSignal): Promise<Chosen> {
  if (paths.length === 0) return { files: [], notices: [] };
  const { files, inFolders, notices } = await new NamedFiles({ paths }).select(signal);
  const byName = new Map<string, UploadFile>();
  for (const { hostPath, path, bytes } of [...files, ...inFolders]) {
    const name = path.split("/").at(-1) ?? path;
    const other = byName.get(name);
    if (other) {
      throw new GloveboxError(
        "usage",
        `${other.path} and ${hostPath} would both be /mnt/data/${name} on the server; rename one of them.`,
      );
    }
    byName.set(name, { path: hostPath, name, bytes });
  }
  return { files: [...byName.values()], notices };
}

export async function uploadFiles(
  files: readonly UploadFile[],
  to: { readonly api: ServerApi; readonly container: string },
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [at, file] of files.entries()) {
    const step = `Sending ${countOf(files.length, "file")} (${bytesInWords(total)}) to ${to.api.url}`;
    progress.wait(step, `${file.name} · ${at + 1} of ${files.length}`);
    try {
      await to.api.upload(to.container, file, signal);
    } catch (error) {
      if (error instanceof GloveboxError) throw error;
      throw new GloveboxError("usage", `Cannot read ${file.path}: ${reason(error as Error)}.`, {
        cause: error,
      });
    }
  }
}
