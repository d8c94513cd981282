import { z } from "zod";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { jsonColumn } from "./json-column.ts";
import { indexedText, matchExpression } from "./note-words.ts";

export const NewNote = z.object({
  text: z.string().trim().min(1).max(4000),
  tags: z.array(z.string().trim().min(1).max(64)).max(16).default([]),
});
export type NewNote = z.input<typeof NewNote>;

export interface Note {
  readonly id: number;
  readonly text: string;
  readonly tags: readonly string[];
  readonly createdMs: number;
}

/** What is to be remembered from conversation to conversation. */
export interface NoteStore {
  save(note: NewNote): Promise<Note>;
  /** Notes with any of the query's words, the best match first. Any text will do as a query. */
  search(query: string, options?: { readonly limit?: number }): Promise<Note[]>;
  /** The newest first. */
  list(options?: { readonly limit?: number; readonly tag?: string }): Promise<Note[]>;
  count(): Promise<number>;
  /** Whether there was such a note. */
  remove(id: number): Promise<boolean>;
}

const Row = z
  .object({
    id: z.number(),
    text: z.string(),
    tags: jsonColumn(z.array(z.string())),
    created_ms: z.number(),
  })
  .transform(({ created_ms, ...note }): Note => ({ ...note, createdMs: created_ms }));
const Count = z.object({ count: z.number() });

const DEFAULT_LIMIT = 20;
const COLUMNS = "notes.id, notes.text, notes.tags, notes.created_ms";
const TAG_WEIGHT = 2;

export class SqliteNotes implements NoteStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(note: NewNote): Promise<Note> {
    const { text, tags } = NewNote.parse(note);
    const createdMs = Date.now();
    return this.#database.use((db) =>
      db.transaction(() => {
        const kept = { text: text.toWellFormed(), tags: [...new Set(tags.map((tag) => tag.toWellFormed()))] };
        const { lastId: id } = db.run(
          "INSERT INTO notes (text, tags, created_ms) VALUES (?, ?, ?)",
          kept.text,
          JSON.stringify(kept.tags),
          createdMs,
        );
        db.run(
          "INSERT INTO note_words (rowid, text, tags) VALUES (?, ?, ?)",
          id,
          indexedText(kept.text),
          indexedText(kept.tags.join(" ")),
        );
        return { id, ...kept, createdMs };
      }),
    );
  }

  async search(query: string, options: { limit?: number } = {}): Promise<Note[]> {
    const expression = matchExpression(query);
    if (expression === undefined) return [];
    return this.#database.use((db) =>
      db.all(
        Row,
        `SELECT ${COLUMNS} FROM note_words JOIN notes ON notes.id = note_words.rowid
         WHERE note_words MATCH ? ORDER BY bm25(note_words, 1, ${TAG_WEIGHT}), notes.id DESC LIMIT ?`,
        expression,
        options.limit ?? DEFAULT_LIMIT,
      ),
    );
  }

  async list(options: { limit?: number; tag?: string } = {}): Promise<Note[]> {
    const limit = options.limit ?? DEFAULT_LIMIT;
    return this.#database.use((db) =>
      options.tag === undefined
        ? db.all(Row, `SELECT ${COLUMNS} FROM notes ORDER BY id DESC LIMIT ?`, limit)
        : listTagged(db, options.tag, limit),
    );
  }

  async count(): Promise<number> {
    return this.#database.use((db) => db.first(Count, "SELECT count(*) AS count FROM notes")?.count ?? 0);
  }

  async remove(id: number): Promise<boolean> {
    return this.#database.use((db) =>
      db.transaction(() => {
        db.run("DELETE FROM note_words WHERE rowid = ?", id);
        return db.run("DELETE FROM notes WHERE id = ?", id).changes > 0;
      }),
    );
  }
}

function listTagged(db: Connection, tag: string, limit: number): Note[] {
  return db.all(
    Row,
    `SELECT ${COLUMNS} FROM notes
     WHERE EXISTS (SELECT 1 FROM json_each(notes.tags) WHERE json_each.value = ?) ORDER BY id DESC LIMIT ?`,
    tag,
    limit,
  );
}
