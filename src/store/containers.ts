import { z } from "zod";
import { type ContainerFileStore, SqliteContainerFiles } from "./container-files.ts";
import { beforeAll, type Cursor, inOrder } from "./cursor.ts";
import type { Database } from "./database.ts";

export interface StoredContainer {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly memoryLimit: string;
  readonly expiresAfterMinutes: number;
  readonly createdMs: number;
  readonly lastActiveMs: number;
  /** Whether it ever had a session, whose variables can be lost. */
  readonly opened: boolean;
}

export interface ContainerStore {
  readonly files: ContainerFileStore;
  add(container: StoredContainer): Promise<void>;
  get(owner: string, id: string): Promise<StoredContainer | undefined>;
  /** Undefined where `after` is nothing of this owner's. */
  list(owner: string, wanted: Cursor & { readonly name?: string }): Promise<StoredContainer[] | undefined>;
  count(owner: string): Promise<number>;
  touch(id: string, change: { readonly lastActiveMs: number; readonly opened: boolean }): Promise<void>;
  /** Whether there was such a container; its files' rows go with it. */
  remove(owner: string, id: string): Promise<boolean>;
  ids(): Promise<Set<string>>;
}

const Row = z
  .object({
    id: z.string(),
    owner: z.string(),
    name: z.string(),
    memory_limit: z.string(),
    expires_after_minutes: z.number(),
    created_ms: z.number(),
    last_active_ms: z.number(),
    opened: z.number(),
  })
  .transform(
    (row): StoredContainer => ({
      id: row.id,
      owner: row.owner,
      name: row.name,
      memoryLimit: row.memory_limit,
      expiresAfterMinutes: row.expires_after_minutes,
      createdMs: row.created_ms,
      lastActiveMs: row.last_active_ms,
      opened: row.opened !== 0,
    }),
  );
const Position = z.object({ position: z.number() });
const Count = z.object({ count: z.number() });
const Id = z.object({ id: z.string() });
const COLUMNS = "id, owner, name, memory_limit, expires_after_minutes, created_ms, last_active_ms, opened";

export class SqliteContainers implements ContainerStore {
  readonly files: ContainerFileStore;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.files = new SqliteContainerFiles(database);
  }

  async add(container: StoredContainer): Promise<void> {
    await this.#database.use((db) =>
      db.run(
        `INSERT INTO containers (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        container.id,
        container.owner,
        container.name.toWellFormed(),
        container.memoryLimit,
        container.expiresAfterMinutes,
        container.createdMs,
        container.lastActiveMs,
        Number(container.opened),
      ),
    );
  }

  async get(owner: string, id: string): Promise<StoredContainer | undefined> {
    return this.#database.use((db) =>
      db.first(Row, `SELECT ${COLUMNS} FROM containers WHERE id = ? AND owner = ?`, id, owner),
    );
  }

  async list(
    owner: string,
    { order, after, name, limit }: Cursor & { name?: string },
  ): Promise<StoredContainer[] | undefined> {
    return this.#database.use((db) => {
      const from =
        after === undefined
          ? beforeAll(order)
          : db.first(Position, "SELECT position FROM containers WHERE id = ? AND owner = ?", after, owner)
              ?.position;
      if (from === undefined) return undefined;
      return db.all(
        Row,
        `SELECT ${COLUMNS} FROM containers WHERE owner = ? AND (? IS NULL OR name = ?) ${inOrder(order)}`,
        owner,
        name ?? null,
        name ?? null,
        from,
        limit,
      );
    });
  }

  async count(owner: string): Promise<number> {
    return this.#database.use(
      (db) => db.first(Count, "SELECT count(*) AS count FROM containers WHERE owner = ?", owner)?.count ?? 0,
    );
  }

  async touch(id: string, change: { lastActiveMs: number; opened: boolean }): Promise<void> {
    await this.#database.use((db) =>
      db.run(
        "UPDATE containers SET last_active_ms = ?, opened = ? WHERE id = ?",
        change.lastActiveMs,
        Number(change.opened),
        id,
      ),
    );
  }

  async remove(owner: string, id: string): Promise<boolean> {
    return this.#database.use(
      (db) => db.run("DELETE FROM containers WHERE id = ? AND owner = ?", id, owner).changes > 0,
    );
  }

  async ids(): Promise<Set<string>> {
    const rows = await this.#database.use((db) => db.all(Id, "SELECT id FROM containers"));
    return new Set(rows.map((row) => row.id));
  }
}
