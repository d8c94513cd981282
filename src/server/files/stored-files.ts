// read the bytes into a draft, within the owner's bounds → give it its place → make the row that refers to it
import type { Readable } from "node:stream";
import type { Store } from "../../store/store.ts";
import { newId } from "../ids.ts";
import type { OwnerStorage } from "../owner-storage.ts";
import { type Page, type PageRequest, pageOf, unknownCursor } from "../pagination.ts";
import { notFound } from "../wire-error.ts";
import type { FilePurpose, FileRecord, FileService, NewFile } from "./file-service.ts";

export interface StoredFilesParts {
  readonly store: Pick<Store, "files" | "blobs">;
  readonly storage: OwnerStorage;
  readonly mostBytes: number;
  readonly now: () => number;
}

export class StoredFiles implements FileService {
  readonly #parts: StoredFilesParts;

  constructor(parts: StoredFilesParts) {
    this.#parts = parts;
  }

  async create(owner: string, file: NewFile): Promise<FileRecord> {
    return this.receive(owner, file.bytes, async () => file);
  }

  async receive(
    owner: string,
    bytes: AsyncIterable<Uint8Array>,
    describe: () => Promise<Omit<NewFile, "bytes">>,
  ): Promise<FileRecord> {
    const { store, storage, mostBytes, now } = this.#parts;
    using room = await storage.take(owner, { mostBytes });
    const draft = await store.blobs.draft(room.counted(bytes));
    try {
      const { filename, purpose, expiresAfterSeconds: seconds } = await describe();
      // Others may have ended meanwhile.
      await storage.check(owner, 0);
      const createdMs = now();
      const expiresMs = seconds === undefined ? null : createdMs + seconds * 1000;
      const record = {
        id: newId("file-"),
        owner,
        filename,
        purpose,
        bytes: draft.bytes,
        createdMs,
        expiresMs,
      };
      await store.blobs.keep(draft, () => store.files.add({ ...record, blob: draft.hash }));
      return record;
    } finally {
      await draft.discard();
    }
  }

  async get(owner: string, id: string): Promise<FileRecord> {
    return recordOf(await this.#find(owner, id));
  }

  async list(owner: string, page: PageRequest & { purpose?: string }): Promise<Page<FileRecord>> {
    const nowMs = this.#parts.now();
    const rows = await this.#parts.store.files.list(owner, { ...page, limit: page.limit + 1, nowMs });
    if (!rows) throw unknownCursor(page.after ?? "");
    return pageOf(rows.map(recordOf), page.limit);
  }

  async remove(owner: string, id: string): Promise<void> {
    await this.#find(owner, id);
    const removed = await this.#parts.store.files.remove(owner, id);
    if (removed) await this.#release([removed.blob]);
  }

  async read(owner: string, id: string): Promise<{ record: FileRecord; bytes: Readable }> {
    const file = await this.#find(owner, id);
    return { record: recordOf(file), bytes: await this.#parts.store.blobs.read(file.blob) };
  }

  /** Where the content is on this machine, for those who copy it. */
  async locate(owner: string, id: string): Promise<{ record: FileRecord; path: string }> {
    const file = await this.#find(owner, id);
    return { record: recordOf(file), path: this.#parts.store.blobs.locate(file.blob) };
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    const gone = await this.#parts.store.files.removeExpired(this.#parts.now());
    await this.#release(gone.map(({ blob }) => blob));
  }

  async #find(owner: string, id: string) {
    const file = await this.#parts.store.files.get(owner, id, this.#parts.now());
    if (!file) throw notFound("File", id);
    return file;
  }

  async #release(blobs: readonly string[]): Promise<void> {
    if (blobs.length === 0) return;
    const referred = await this.#parts.store.files.referred();
    for (const blob of blobs) await this.#parts.store.blobs.release(blob, referred);
  }
}

function recordOf({
  blob: _,
  purpose,
  ...file
}: { blob: string; purpose: string } & Omit<FileRecord, "purpose">): FileRecord {
  return { ...file, purpose: purpose as FilePurpose };
}
