import { createHash, randomUUID } from "node:crypto";
import { constants, mkdirSync, renameSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { GloveboxError } from "../errors.ts";

/** A whole file that has no name yet; it goes with `discard`, unless it is kept. */
export interface BlobDraft {
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
  discard(): Promise<void>;
}

/** Contents by their hash. The same content is kept once, however often it is referred to. */
export interface BlobStore {
  /** Writes as the bytes come. Whoever throws while they do leaves nothing behind. */
  draft(bytes: AsyncIterable<Uint8Array>): Promise<BlobDraft>;
  /** Gives the content its place; `refer` makes the reference that keeps it there. */
  keep(draft: BlobDraft, refer: () => Promise<void>): Promise<void>;
  /** Removes a content that nobody refers to. */
  release(hash: string, isReferred: (hash: string) => boolean): Promise<void>;
  locate(hash: string): string;
  read(hash: string): Promise<Readable>;
  /** Removes what a killed process left: halves, and what nobody refers to. */
  sweep(isReferred: (hash: string) => boolean): Promise<void>;
}

const HASH = /^[0-9a-f]{64}$/;
const READ_BYTES = 256 * 1024;

export class DiskBlobs implements BlobStore {
  readonly #folder: string;
  readonly #drafts: string;
  /** Contents that get their reference just now. */
  readonly #arriving = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#drafts = join(folder, "drafts");
  }

  async draft(bytes: AsyncIterable<Uint8Array>): Promise<BlobDraft> {
    await mkdir(this.#drafts, { recursive: true, mode: 0o700 });
    const path = join(this.#drafts, randomUUID());
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      const written = await write(handle, bytes);
      await handle.sync();
      await handle.close();
      return { path, ...written, discard: () => rm(path, { force: true }) };
    } catch (error) {
      await handle.close().catch(() => {});
      await rm(path, { force: true });
      throw diskError(error);
    }
  }

  async keep(draft: BlobDraft, refer: () => Promise<void>): Promise<void> {
    const { hash } = draft;
    this.#arriving.set(hash, (this.#arriving.get(hash) ?? 0) + 1);
    try {
      const place = this.locate(hash);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(draft.path, place);
      await syncFolder(dirname(place));
      await refer();
    } finally {
      const left = (this.#arriving.get(hash) ?? 1) - 1;
      if (left > 0) this.#arriving.set(hash, left);
      else this.#arriving.delete(hash);
    }
  }

  async release(hash: string, isReferred: (hash: string) => boolean): Promise<void> {
    // Nothing comes between the question and the end of the name; the content may take longer to go.
    if (this.#arriving.has(hash) || isReferred(hash)) return;
    const gone = join(this.#drafts, randomUUID());
    try {
      mkdirSync(this.#drafts, { recursive: true, mode: 0o700 });
      renameSync(this.locate(hash), gone);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw diskError(error);
    }
    await rm(gone, { force: true });
  }

  locate(hash: string): string {
    if (!HASH.test(hash)) throw new GloveboxError("store", `"${hash}" is no hash of a content in the store.`);
    return join(this.#folder, hash.slice(0, 2), hash);
  }

  async read(hash: string): Promise<Readable> {
    const handle = await open(this.locate(hash), constants.O_RDONLY);
    return handle.createReadStream({ highWaterMark: READ_BYTES });
  }

  async sweep(isReferred: (hash: string) => boolean): Promise<void> {
    await rm(this.#drafts, { recursive: true, force: true });
    const groups = await readdir(this.#folder).catch(() => []);
    for (const group of groups) {
      for (const hash of await readdir(join(this.#folder, group)).catch(() => [])) {
        if (HASH.test(hash)) await this.release(hash, isReferred);
      }
    }
  }
}

async function write(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ hash: string; bytes: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const part of bytes) {
    hash.update(part);
    size += part.length;
    await handle.writeFile(part);
  }
  return { hash: hash.digest("hex"), bytes: size };
}

/** A name is on the disk only once its folder is. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, constants.O_RDONLY);
  await folder.sync();
}

function diskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new GloveboxError("store", "The disk of the store is full; free some space and try again.", {
    cause: error,
  });
}
