import { z } from "zod";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";

/** Who a key stands for. Of the key itself only its hash is kept. */
export interface StoredKey {
  readonly id: string;
  readonly name: string | null;
  readonly hash: string;
  readonly createdMs: number;
}

export interface KeyStore {
  /** The key of this name, which gets the hash, or else the key of this hash, or else the one that is given. */
  claim(key: StoredKey): Promise<StoredKey>;
}

const Row = z
  .object({ id: z.string(), name: z.string().nullable(), hash: z.string(), created_ms: z.number() })
  .transform(({ created_ms, ...key }): StoredKey => ({ ...key, createdMs: created_ms }));
const COLUMNS = "id, name, hash, created_ms";

export class SqliteKeys implements KeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(key: StoredKey): Promise<StoredKey> {
    return this.#database.use((db) =>
      db.transaction(() => {
        const found = (key.name !== null && byName(db, key.name)) || byHash(db, key);
        if (!found) {
          const { id, name, hash, createdMs } = key;
          db.run(`INSERT INTO api_keys (${COLUMNS}) VALUES (?, ?, ?, ?)`, id, name, hash, createdMs);
          return key;
        }
        const claimed = { ...found, hash: key.hash, name: key.name ?? found.name };
        db.run("UPDATE api_keys SET hash = ?, name = ? WHERE id = ?", claimed.hash, claimed.name, found.id);
        return claimed;
      }),
    );
  }
}

function byName(db: Connection, name: string): StoredKey | undefined {
  return db.first(Row, `SELECT ${COLUMNS} FROM api_keys WHERE name = ?`, name);
}

/** A key that has another name already is somebody else's. */
function byHash(db: Connection, { name, hash }: StoredKey): StoredKey | undefined {
  return db.first(
    Row,
    `SELECT ${COLUMNS} FROM api_keys WHERE hash = ? AND (? IS NULL OR name IS NULL) ORDER BY name LIMIT 1`,
    hash,
    name,
  );
}
