import type { Readable } from "node:stream";
import type { Session } from "../../session/session.ts";
import type { Page, PageRequest } from "../pagination.ts";

export const memoryTiers = ["1g", "4g", "16g", "64g"] as const;
export type MemoryTier = (typeof memoryTiers)[number];

/** A container as it is now. Times are milliseconds since 1970. */
export interface ContainerRecord {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly memoryLimit: MemoryTier;
  readonly expiresAfterMinutes: number;
  readonly createdMs: number;
  readonly lastActiveMs: number;
  readonly status: "running" | "expired";
}

export interface ContainerFileRecord {
  readonly id: string;
  readonly containerId: string;
  /** As a cell sees it: below /mnt/data. */
  readonly path: string;
  readonly bytes: number;
  readonly createdMs: number;
  readonly source: "user" | "assistant";
  /** The file of /v1/files that it began as. */
  readonly upload: string | null;
}

export interface NewContainer {
  readonly name: string;
  readonly memoryLimit?: MemoryTier;
  /** Files of /v1/files that are copied to /mnt/data. */
  readonly fileIds?: readonly string[];
  readonly expiresAfterMinutes?: number;
}

/** The live session of a container. It does not expire before it is disposed of: take it with `using`. */
export interface ContainerLease extends Disposable {
  readonly record: ContainerRecord;
  readonly session: Session;
  /** Says in words what was lost, when the session is a new one in the place of another. */
  readonly revived?: string;
}

export type ContainerFileSource =
  /** Under its own name, unless another one is given. */
  | { readonly fileId: string; readonly as?: string }
  | { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** Containers of every owner. What is not there, or is somebody else's, is a WireError 404. */
export interface ContainerService {
  create(owner: string, wanted: NewContainer): Promise<ContainerRecord>;
  /** Without `touch` it does not count as activity. */
  get(owner: string, id: string, options?: { readonly touch?: boolean }): Promise<ContainerRecord>;
  list(owner: string, page: PageRequest & { readonly name?: string }): Promise<Page<ContainerRecord>>;
  /** Ends the session and removes the files. */
  remove(owner: string, id: string): Promise<void>;

  /**
   * The live session, made or revived; counts as activity now and when it is disposed of. A WireError 400 "Container is
   * expired." where containerExpired is "error", and a 429 over the sessions that this owner may have.
   */
  open(owner: string, id: string): Promise<ContainerLease>;

  addFile(owner: string, id: string, source: ContainerFileSource): Promise<ContainerFileRecord>;
  listFiles(owner: string, id: string, page: PageRequest): Promise<Page<ContainerFileRecord>>;
  getFile(owner: string, id: string, fileId: string): Promise<ContainerFileRecord>;
  /** The stream is the caller's to read to its end or to destroy. */
  readFile(
    owner: string,
    id: string,
    fileId: string,
  ): Promise<{ readonly record: ContainerFileRecord; readonly bytes: Readable }>;
  removeFile(owner: string, id: string, fileId: string): Promise<void>;
  /** Gives ids to what a cell made or changed (paths as in a result's `files`); a file keeps its id. */
  noteFiles(
    owner: string,
    id: string,
    files: readonly { readonly path: string; readonly bytes: number }[],
  ): Promise<ContainerFileRecord[]>;

  /** How many sessions are alive. */
  readonly sessionCount: number;
  /** Ends every session; their files stay. */
  close(): Promise<void>;
}
