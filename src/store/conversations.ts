import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { Item, textOf } from "../protocol/items.ts";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { jsonColumn } from "./json-column.ts";

export interface ConversationRecord {
  readonly id: string;
  /** The first words of the user; empty while nothing was said. */
  readonly title: string;
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** How many were kept, readable or not. */
  readonly items: number;
}

export interface ConversationDetails {
  readonly title?: string;
  readonly session?: string;
  readonly model?: string;
}

/** What was said, kept item by item. */
export interface ConversationStore {
  create(conversation: ConversationDetails & { readonly id: string }): Promise<void>;
  get(id: string): Promise<ConversationRecord | undefined>;
  /** What is acknowledged survives a kill and a power cut. */
  append(id: string, items: readonly Item[]): Promise<void>;
  /** In the order they were said; what cannot be read is skipped and logged. */
  items(id: string): Promise<Item[]>;
  update(id: string, details: ConversationDetails): Promise<void>;
  /** The last used first. */
  list(options?: { readonly limit?: number }): Promise<ConversationRecord[]>;
  /** Keeps the first `count` of the items that can be read, and nothing after them. */
  truncate(id: string, count: number): Promise<void>;
  /** Whether there was such a conversation. */
  remove(id: string): Promise<boolean>;
}

const Row = z
  .object({
    id: z.string(),
    title: z.string(),
    session: z.string().nullable(),
    model: z.string().nullable(),
    created_ms: z.number(),
    updated_ms: z.number(),
    items: z.number(),
  })
  .transform(
    (row): ConversationRecord => ({
      id: row.id,
      title: row.title,
      session: row.session ?? undefined,
      model: row.model ?? undefined,
      createdMs: row.created_ms,
      updatedMs: row.updated_ms,
      items: row.items,
    }),
  );
const ItemRow = z.object({ position: z.number(), item: jsonColumn(Item) });
const Next = z.object({ position: z.number(), title: z.string() });

const SELECT = `SELECT id, title, session, model, created_ms, updated_ms,
  (SELECT count(*) FROM conversation_items WHERE conversation = id) AS items FROM conversations`;
const DEFAULT_LIMIT = 50;
const TITLE_CHARACTERS = 80;
/** Spaces, control characters, and what turns the direction of writing round. */
const UNSEEN = /(?:\s|\p{Cc}|\p{Cs}|[\u200e\u200f\u202a-\u202e\u2066-\u2069])+/gu;

export class SqliteConversations implements ConversationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create({ id, title, session, model }: ConversationDetails & { id: string }): Promise<void> {
    const now = Date.now();
    const { changes } = await this.#database.use((db) =>
      db.run(
        `INSERT INTO conversations (id, title, session, model, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING`,
        id,
        title ?? "",
        session ?? null,
        model ?? null,
        now,
        now,
      ),
    );
    if (changes === 0) {
      throw new GloveboxError("store", `There is a conversation "${id}" already; take another id.`);
    }
  }

  async get(id: string): Promise<ConversationRecord | undefined> {
    return this.#database.use((db) => db.first(Row, `${SELECT} WHERE id = ?`, id));
  }

  async append(id: string, items: readonly Item[]): Promise<void> {
    return this.#database.use((db) =>
      db.transaction(() => {
        const next = db.first(
          Next,
          `SELECT title, (SELECT coalesce(max(position) + 1, 0) FROM conversation_items WHERE conversation = ?1)
             AS position FROM conversations WHERE id = ?1`,
          id,
        );
        if (!next) throw missing(id);
        for (const [index, item] of items.entries()) {
          db.run(
            "INSERT INTO conversation_items (conversation, position, item) VALUES (?, ?, ?)",
            id,
            next.position + index,
            JSON.stringify(item),
          );
        }
        db.run(
          "UPDATE conversations SET updated_ms = max(updated_ms, ?), title = ? WHERE id = ?",
          Date.now(),
          next.title || titleOf(items),
          id,
        );
      }),
    );
  }

  async items(id: string): Promise<Item[]> {
    return this.#database.use((db) => readItems(db, id).map(({ item }) => item));
  }

  async update(id: string, { title, session, model }: ConversationDetails): Promise<void> {
    const { changes } = await this.#database.use((db) =>
      db.run(
        `UPDATE conversations SET title = coalesce(?, title), session = coalesce(?, session),
           model = coalesce(?, model) WHERE id = ?`,
        title ?? null,
        session ?? null,
        model ?? null,
        id,
      ),
    );
    if (changes === 0) throw missing(id);
  }

  async list(options: { limit?: number } = {}): Promise<ConversationRecord[]> {
    return this.#database.use((db) =>
      db.all(Row, `${SELECT} ORDER BY updated_ms DESC, rowid DESC LIMIT ?`, options.limit ?? DEFAULT_LIMIT),
    );
  }

  async truncate(id: string, count: number): Promise<void> {
    return this.#database.use((db) =>
      db.transaction(() => {
        const kept = readItems(db, id);
        const first = kept[count];
        if (!first) return;
        db.run("DELETE FROM conversation_items WHERE conversation = ? AND position >= ?", id, first.position);
        const title = titleOf(kept.slice(0, count).map(({ item }) => item));
        if (title === "") db.run("UPDATE conversations SET title = '' WHERE id = ?", id);
      }),
    );
  }

  async remove(id: string): Promise<boolean> {
    return this.#database.use((db) => db.run("DELETE FROM conversations WHERE id = ?", id).changes > 0);
  }
}

function readItems(db: Connection, id: string): z.infer<typeof ItemRow>[] {
  return db.all(
    ItemRow,
    "SELECT conversation, position, item FROM conversation_items WHERE conversation = ? ORDER BY position",
    id,
  );
}

function titleOf(items: readonly Item[]): string {
  for (const item of items) {
    if (item.type !== "message" || item.role !== "user") continue;
    const words = textOf(item.content)
      .slice(0, 10 * TITLE_CHARACTERS)
      .replace(UNSEEN, " ")
      .trim();
    const characters = [...words];
    if (characters.length > TITLE_CHARACTERS) return `${characters.slice(0, TITLE_CHARACTERS - 1).join("")}…`;
    if (words) return words;
  }
  return "";
}

function missing(id: string): GloveboxError {
  return new GloveboxError("store", `There is no conversation "${id}"; create it first.`);
}
