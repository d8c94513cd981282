import type { Readable } from "node:stream";
import type { Page, PageRequest } from "../pagination.ts";

export const filePurposes = ["assistants", "batch", "fine-tune", "vision", "user_data", "evals"] as const;
export type FilePurpose = (typeof filePurposes)[number];

/** An uploaded file. Times are milliseconds since 1970. */
export interface FileRecord {
  readonly id: string;
  readonly owner: string;
  readonly filename: string;
  readonly purpose: FilePurpose;
  readonly bytes: number;
  readonly createdMs: number;
  readonly expiresMs: number | null;
}

export interface NewFile {
  readonly filename: string;
  readonly purpose: FilePurpose;
  readonly expiresAfterSeconds?: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Uploaded files of every owner. What is not there, or is somebody else's, is a WireError 404. */
export interface FileService {
  /** Reads the bytes as they come; a file that does not arrive whole is never seen. */
  create(owner: string, file: NewFile): Promise<FileRecord>;
  /** The same for bytes whose description comes after them. */
  receive(
    owner: string,
    bytes: AsyncIterable<Uint8Array>,
    describe: () => Promise<Omit<NewFile, "bytes">>,
  ): Promise<FileRecord>;
  get(owner: string, id: string): Promise<FileRecord>;
  list(owner: string, page: PageRequest & { readonly purpose?: string }): Promise<Page<FileRecord>>;
  remove(owner: string, id: string): Promise<void>;
  /** The stream is the caller's to read to its end or to destroy. */
  read(owner: string, id: string): Promise<{ readonly record: FileRecord; readonly bytes: Readable }>;
}
