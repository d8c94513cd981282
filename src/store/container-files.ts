import { z } from "zod";
import { beforeAll, type Cursor, inOrder } from "./cursor.ts";
import type { Database } from "./database.ts";

/** The id that a file of a container goes by; its content is in the session's folder. */
export interface StoredContainerFile {
  readonly id: string;
  readonly container: string;
  /** Below the working folder. */
  readonly name: string;
  readonly bytes: number;
  readonly source: "user" | "assistant";
  readonly createdMs: number;
  /** The uploaded file that it began as. */
  readonly upload: string | null;
}

export interface ContainerFileStore {
  /** Adds each, or gives the one of its name the new size; in any case says what is stored now, in the order given. */
  put(files: readonly StoredContainerFile[]): Promise<StoredContainerFile[]>;
  get(container: string, id: string): Promise<StoredContainerFile | undefined>;
  /** Undefined where `after` is nothing in this container. */
  list(container: string, wanted: Cursor): Promise<StoredContainerFile[] | undefined>;
  /** All of them, by name. */
  sizes(container: string): Promise<Map<string, number>>;
  removeNames(container: string, names: readonly string[]): Promise<void>;
  /** Bytes in all containers of this owner. */
  storedBytes(owner: string): Promise<number>;
}

const Row = z
  .object({
    id: z.string(),
    container: z.string(),
    name: z.string(),
    bytes: z.number(),
    source: z.enum(["user", "assistant"]),
    created_ms: z.number(),
    upload: z.string().nullable(),
  })
  .transform(({ created_ms, ...file }): StoredContainerFile => ({ ...file, createdMs: created_ms }));
const Size = z.object({ name: z.string(), bytes: z.number() });
const Position = z.object({ position: z.number() });
const Total = z.object({ total: z.number().nullable() });
const COLUMNS = "id, container, name, bytes, source, created_ms, upload";

export class SqliteContainerFiles implements ContainerFileStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(files: readonly StoredContainerFile[]): Promise<StoredContainerFile[]> {
    if (files.length === 0) return [];
    return this.#database.use((db) =>
      db.transaction(() =>
        files.flatMap((file) =>
          db.all(
            Row,
            `INSERT INTO container_files (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (container, name)
               DO UPDATE SET bytes = excluded.bytes, upload = coalesce(excluded.upload, upload)
             RETURNING ${COLUMNS}`,
            file.id,
            file.container,
            file.name.toWellFormed(),
            file.bytes,
            file.source,
            file.createdMs,
            file.upload,
          ),
        ),
      ),
    );
  }

  async get(container: string, id: string): Promise<StoredContainerFile | undefined> {
    return this.#database.use((db) =>
      db.first(Row, `SELECT ${COLUMNS} FROM container_files WHERE id = ? AND container = ?`, id, container),
    );
  }

  async list(container: string, { order, after, limit }: Cursor): Promise<StoredContainerFile[] | undefined> {
    return this.#database.use((db) => {
      const from =
        after === undefined
          ? beforeAll(order)
          : db.first(
              Position,
              "SELECT position FROM container_files WHERE id = ? AND container = ?",
              after,
              container,
            )?.position;
      if (from === undefined) return undefined;
      return db.all(
        Row,
        `SELECT ${COLUMNS} FROM container_files WHERE container = ? ${inOrder(order)}`,
        container,
        from,
        limit,
      );
    });
  }

  async sizes(container: string): Promise<Map<string, number>> {
    const rows = await this.#database.use((db) =>
      db.all(Size, "SELECT name, bytes FROM container_files WHERE container = ?", container),
    );
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  }

  async removeNames(container: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#database.use((db) =>
      db.transaction(() => {
        for (const name of names)
          db.run("DELETE FROM container_files WHERE container = ? AND name = ?", container, name);
      }),
    );
  }

  async storedBytes(owner: string): Promise<number> {
    return this.#database.use(
      (db) =>
        db.first(
          Total,
          `SELECT sum(container_files.bytes) AS total FROM container_files
           JOIN containers ON containers.id = container_files.container WHERE containers.owner = ?`,
          owner,
        )?.total ?? 0,
    );
  }
}
