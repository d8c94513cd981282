import { createReadStream, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { GloveboxError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { reason } from "./cell-sources.ts";
import type { Progress } from "./progress.ts";
import { bytesAsFlag, bytesInWords, countOf } from "./quantities.ts";

export interface DataFile {
  readonly path: string;
  /** Below /mnt/data. */
  readonly name: string;
  readonly bytes: number;
}

const PART_BYTES = 1 << 20;
// A tmpfs keeps whole pages.
const PAGE_BYTES = 4096;

/** The files that --data names: itself, or a folder's ordinary files with their names relative to it. */
export async function findDataFiles(paths: readonly string[], roomBytes: number): Promise<DataFile[]> {
  const found = new Map<string, DataFile>();
  for (const path of paths) {
    for (const file of await filesAt(path)) {
      const other = found.get(file.name);
      if (other && resolve(other.path) !== resolve(file.path)) {
        throw new GloveboxError(
          "usage",
          `${other.path} and ${file.path} would both be /mnt/data/${file.name}; rename one of them.`,
        );
      }
      found.set(file.name, file);
    }
  }
  const files = [...found.values()];
  const needed = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES, 0);
  if (needed > roomBytes) throw tooLarge(needed, roomBytes);
  return files;
}

export async function copyIn(
  session: Session,
  files: readonly DataFile[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  let copied = 0;
  const step = `Copying ${countOf(files.length, "file")} (${bytesInWords(total)}) into /mnt/data`;
  async function* counted(file: DataFile): AsyncGenerator<Uint8Array> {
    for await (const part of createReadStream(file.path, { highWaterMark: PART_BYTES })) {
      if (signal.aborted)
        throw new GloveboxError("aborted", "Stopped while the data was copied; nothing was run.");
      copied += part.length;
      progress.wait(step, `${file.name} · ${Math.floor((100 * copied) / Math.max(total, 1))} %`);
      yield part;
    }
  }
  for (const file of files) {
    progress.wait(step, file.name);
    try {
      await session.files.put(file.name, counted(file));
    } catch (error) {
      if (error instanceof GloveboxError && error.code === "file-too-large") throw tooLarge(total);
      if (error instanceof GloveboxError) throw error;
      throw new GloveboxError("usage", `Cannot read ${file.path}: ${reason(error as Error)}.`, {
        cause: error,
      });
    }
  }
}

async function filesAt(path: string): Promise<DataFile[]> {
  const found = await status(path);
  if (found.isFile()) return [{ path, name: basename(resolve(path)), bytes: found.size }];
  if (!found.isDirectory()) {
    throw new GloveboxError("usage", `--data ${path} is neither a file nor a folder; give one of those.`);
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw new GloveboxError("usage", `Cannot read --data ${path}: ${reason(cause)}.`, { cause });
  });
  const files: DataFile[] = [];
  // A link could lead out of the folder, so links are left behind.
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const inner = join(entry.parentPath, entry.name);
    files.push({ path: inner, name: relative(path, inner), bytes: (await status(inner)).size });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function status(path: string): Promise<Stats> {
  return stat(path).catch((cause) => {
    throw new GloveboxError("usage", `Cannot read --data ${path}: ${reason(cause)}.`, { cause });
  });
}

function tooLarge(bytes: number, roomBytes?: number): GloveboxError {
  const room = roomBytes === undefined ? "it is full" : `it holds ${bytesInWords(roomBytes)}`;
  const fix = `raise its size with --disk ${bytesAsFlag(bytes * 1.5)}`;
  return new GloveboxError(
    "usage",
    `The data (${bytesInWords(bytes)}) does not fit into /mnt/data, ${room}; ${fix}.`,
  );
}
