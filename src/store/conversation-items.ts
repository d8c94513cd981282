import { z } from "zod";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { jsonColumn } from "./json-column.ts";
import { type KeptItem, KeptItemRow, toldColumn } from "./kept-item.ts";

export type Metadata = Readonly<Record<string, string>>;

export interface OwnedConversation {
  readonly id: string;
  readonly owner: string;
  readonly metadata: Metadata;
  readonly createdMs: number;
}

/** Conversations that clients of the server keep here; each is its owner's alone. */
export interface OwnedConversationStore {
  create(conversation: OwnedConversation, items: readonly KeptItem[]): Promise<void>;
  get(owner: string, id: string): Promise<OwnedConversation | undefined>;
  update(owner: string, id: string, metadata: Metadata): Promise<void>;
  remove(owner: string, id: string): Promise<boolean>;
  append(id: string, items: readonly KeptItem[]): Promise<void>;
  /** In the order they were said. */
  items(id: string): Promise<KeptItem[]>;
  removeItem(id: string, itemId: string): Promise<boolean>;
}

const Row = z
  .object({
    id: z.string(),
    owner: z.string(),
    metadata: jsonColumn(z.record(z.string(), z.string())),
    created_ms: z.number(),
  })
  .transform(
    ({ created_ms, ...row }): OwnedConversation => ({
      ...row,
      createdMs: created_ms,
    }),
  );
const Next = z.object({ position: z.number() });

export class SqliteOwnedConversations implements OwnedConversationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create({ id, owner, metadata, createdMs }: OwnedConversation, items: readonly KeptItem[]) {
    await this.#database.use((db) =>
      db.transaction(() => {
        db.run(
          "INSERT INTO owned_conversations (id, owner, metadata, created_ms) VALUES (?, ?, ?, ?)",
          id,
          owner,
          JSON.stringify(metadata),
          createdMs,
        );
        appendItems(db, id, items);
      }),
    );
  }

  async get(owner: string, id: string): Promise<OwnedConversation | undefined> {
    return this.#database.use((db) =>
      db.first(
        Row,
        "SELECT id, owner, metadata, created_ms FROM owned_conversations WHERE id = ? AND owner = ?",
        id,
        owner,
      ),
    );
  }

  async update(owner: string, id: string, metadata: Metadata): Promise<void> {
    await this.#database.use((db) =>
      db.run(
        "UPDATE owned_conversations SET metadata = ? WHERE id = ? AND owner = ?",
        JSON.stringify(metadata),
        id,
        owner,
      ),
    );
  }

  async remove(owner: string, id: string): Promise<boolean> {
    const { changes } = await this.#database.use((db) =>
      db.run("DELETE FROM owned_conversations WHERE id = ? AND owner = ?", id, owner),
    );
    return changes > 0;
  }

  async append(id: string, items: readonly KeptItem[]): Promise<void> {
    await this.#database.use((db) => db.transaction(() => appendItems(db, id, items)));
  }

  async items(id: string): Promise<KeptItem[]> {
    return this.#database.use((db) =>
      db.all(
        KeptItemRow,
        "SELECT id, item, told FROM owned_conversation_items WHERE conversation = ? ORDER BY position",
        id,
      ),
    );
  }

  async removeItem(id: string, itemId: string): Promise<boolean> {
    const { changes } = await this.#database.use((db) =>
      db.run("DELETE FROM owned_conversation_items WHERE conversation = ? AND id = ?", id, itemId),
    );
    return changes > 0;
  }
}

/** Within a transaction. A conversation that was removed meanwhile takes nothing in. */
export function appendItems(db: Connection, conversation: string, items: readonly KeptItem[]): void {
  const next = db.first(
    Next,
    `SELECT (SELECT coalesce(max(position) + 1, 0) FROM owned_conversation_items WHERE conversation = ?1)
       AS position FROM owned_conversations WHERE id = ?1`,
    conversation,
  );
  if (!next) return;
  for (const [index, kept] of items.entries())
    db.run(
      "INSERT INTO owned_conversation_items (conversation, position, id, item, told) VALUES (?, ?, ?, ?, ?)",
      conversation,
      next.position + index,
      kept.id,
      JSON.stringify(kept.item),
      toldColumn(kept),
    );
}
