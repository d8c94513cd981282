import { z } from "zod";
import type { Connection } from "./connection.ts";
import { beforeAll, type Cursor, inOrder } from "./cursor.ts";
import type { Database } from "./database.ts";

/** What is known of an uploaded file; its content is a blob. */
export interface StoredFile {
  readonly id: string;
  readonly owner: string;
  readonly filename: string;
  readonly purpose: string;
  readonly bytes: number;
  readonly blob: string;
  readonly createdMs: number;
  readonly expiresMs: number | null;
}

/** A file that has expired is not there for anybody but `removeExpired`. */
export interface FileStore {
  add(file: StoredFile): Promise<void>;
  get(owner: string, id: string, nowMs: number): Promise<StoredFile | undefined>;
  /** Undefined where `after` is nothing of this owner's. */
  list(
    owner: string,
    wanted: Cursor & { readonly purpose?: string; readonly nowMs: number },
  ): Promise<StoredFile[] | undefined>;
  /** The file that was removed. */
  remove(owner: string, id: string): Promise<StoredFile | undefined>;
  removeExpired(nowMs: number): Promise<StoredFile[]>;
  /** Bytes of all files of this owner. */
  storedBytes(owner: string): Promise<number>;
  /** Asks, at once and without a promise, whether any file has this content. */
  referred(): Promise<(blob: string) => boolean>;
}

const Row = z
  .object({
    id: z.string(),
    owner: z.string(),
    filename: z.string(),
    purpose: z.string(),
    bytes: z.number(),
    blob: z.string(),
    created_ms: z.number(),
    expires_ms: z.number().nullable(),
  })
  .transform(
    ({ created_ms, expires_ms, ...file }): StoredFile => ({
      ...file,
      createdMs: created_ms,
      expiresMs: expires_ms,
    }),
  );
const Position = z.object({ position: z.number() });
const Total = z.object({ total: z.number().nullable() });
const COLUMNS = "id, owner, filename, purpose, bytes, blob, created_ms, expires_ms";

export class SqliteFiles implements FileStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(file: StoredFile): Promise<void> {
    await this.#database.use((db) =>
      db.run(
        `INSERT INTO files (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        file.id,
        file.owner,
        file.filename.toWellFormed(),
        file.purpose,
        file.bytes,
        file.blob,
        file.createdMs,
        file.expiresMs,
      ),
    );
  }

  async get(owner: string, id: string, nowMs: number): Promise<StoredFile | undefined> {
    return this.#database.use((db) =>
      db.first(
        Row,
        `SELECT ${COLUMNS} FROM files WHERE id = ? AND owner = ? AND (expires_ms IS NULL OR expires_ms > ?)`,
        id,
        owner,
        nowMs,
      ),
    );
  }

  async list(
    owner: string,
    wanted: Cursor & { purpose?: string; nowMs: number },
  ): Promise<StoredFile[] | undefined> {
    const { order, after, purpose, nowMs, limit } = wanted;
    return this.#database.use((db) => {
      const from = after === undefined ? beforeAll(order) : positionOf(db, owner, after);
      if (from === undefined) return undefined;
      return db.all(
        Row,
        `SELECT ${COLUMNS} FROM files
         WHERE owner = ? AND (expires_ms IS NULL OR expires_ms > ?) AND (? IS NULL OR purpose = ?) ${inOrder(order)}`,
        owner,
        nowMs,
        purpose ?? null,
        purpose ?? null,
        from,
        limit,
      );
    });
  }

  async remove(owner: string, id: string): Promise<StoredFile | undefined> {
    return this.#database.use((db) =>
      db.first(Row, `DELETE FROM files WHERE id = ? AND owner = ? RETURNING ${COLUMNS}`, id, owner),
    );
  }

  async removeExpired(nowMs: number): Promise<StoredFile[]> {
    return this.#database.use((db) =>
      db.all(Row, `DELETE FROM files WHERE expires_ms <= ? RETURNING ${COLUMNS}`, nowMs),
    );
  }

  async storedBytes(owner: string): Promise<number> {
    return this.#database.use(
      (db) => db.first(Total, "SELECT sum(bytes) AS total FROM files WHERE owner = ?", owner)?.total ?? 0,
    );
  }

  async referred(): Promise<(blob: string) => boolean> {
    return this.#database.use(
      (db) => (blob: string) =>
        db.first(Position, "SELECT position FROM files WHERE blob = ? LIMIT 1", blob) !== undefined,
    );
  }
}

function positionOf(db: Connection, owner: string, id: string): number | undefined {
  return db.first(Position, "SELECT position FROM files WHERE id = ? AND owner = ?", id, owner)?.position;
}
