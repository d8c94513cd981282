import { z } from "zod";
import type { Connection } from "./connection.ts";
import { appendItems } from "./conversation-items.ts";
import type { Database } from "./database.ts";
import { jsonColumn } from "./json-column.ts";
import { type KeptItem, KeptItemRow, toldColumn, type WireItem } from "./kept-item.ts";

export type ResponseBody = Readonly<Record<string, unknown>>;

export interface ResponseRecord {
  readonly id: string;
  readonly owner: string;
  readonly status: string;
  /** The response object without its output. */
  readonly body: ResponseBody;
}

export interface NewResponse extends ResponseRecord {
  readonly previous?: string;
  readonly createdMs: number;
  readonly input: readonly KeptItem[];
}

export interface ResponseEnd {
  readonly status: string;
  readonly body: ResponseBody;
  /** Items that were not added one by one. */
  readonly output?: readonly KeptItem[];
  /** The conversation that the items of this response are added to, in the same moment. */
  readonly conversation?: { readonly id: string; readonly items: readonly KeptItem[] };
}

export interface StreamedEvent {
  readonly sequence: number;
  readonly event: WireItem;
}

/** Responses with their items. What is acknowledged survives a kill and a power cut. */
export interface ResponseStore {
  create(response: NewResponse): Promise<void>;
  get(owner: string, id: string): Promise<ResponseRecord | undefined>;
  update(id: string, end: ResponseEnd): Promise<void>;
  addOutput(id: string, position: number, item: KeptItem): Promise<void>;
  output(id: string): Promise<KeptItem[]>;
  /** Everything that a response after this one follows: the inputs and outputs of all before it and its own. */
  chain(owner: string, id: string): Promise<KeptItem[]>;
  /** What this response was asked, with all that went before. */
  input(owner: string, id: string): Promise<KeptItem[]>;
  /** The item of this id in any response or conversation of the owner. */
  findItem(owner: string, itemId: string): Promise<KeptItem | undefined>;
  /** Whether there was one. What later responses follow is kept for them, and shown to nobody else. */
  remove(owner: string, id: string): Promise<boolean>;
  addEvents(id: string, events: readonly StreamedEvent[]): Promise<void>;
  events(id: string, after: number): Promise<StreamedEvent[]>;
  /** Those that nobody has ended yet. */
  unfinished(): Promise<ResponseRecord[]>;
}

const Row: z.ZodType<ResponseRecord> = z.object({
  id: z.string(),
  owner: z.string(),
  status: z.string(),
  body: jsonColumn(z.record(z.string(), z.unknown())),
});
const EventRow: z.ZodType<StreamedEvent> = z.object({
  sequence: z.number(),
  event: jsonColumn(z.looseObject({ type: z.string() }) as z.ZodType<WireItem>),
});
const Id = z.object({ id: z.string() });

const SELECT = "SELECT id, owner, status, body FROM responses";
const CHAIN = `WITH RECURSIVE chain (id, previous, depth) AS (
  SELECT id, previous, 0 FROM responses WHERE id = ? AND owner = ? AND deleted = 0
  UNION ALL SELECT r.id, r.previous, depth + 1 FROM responses r JOIN chain c ON r.id = c.previous)
  SELECT i.id, i.item, i.told FROM chain c JOIN response_items i ON i.response = c.id`;
const IN_ORDER = "ORDER BY c.depth DESC, i.side, i.position";

export class SqliteResponses implements ResponseStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(response: NewResponse): Promise<void> {
    await this.#database.use((db) =>
      db.transaction(() => {
        const { id, owner, status, body, previous, createdMs, input } = response;
        db.run(
          "INSERT INTO responses (id, owner, status, body, previous, created_ms) VALUES (?, ?, ?, ?, ?, ?)",
          id,
          owner,
          status,
          JSON.stringify(body),
          previous ?? null,
          createdMs,
        );
        for (const [position, item] of input.entries()) addItem(db, id, "input", position, item);
      }),
    );
  }

  async get(owner: string, id: string): Promise<ResponseRecord | undefined> {
    return this.#database.use((db) =>
      db.first(Row, `${SELECT} WHERE id = ? AND owner = ? AND deleted = 0`, id, owner),
    );
  }

  async update(id: string, { status, body, output, conversation }: ResponseEnd): Promise<void> {
    await this.#database.use((db) =>
      db.transaction(() => {
        db.run("UPDATE responses SET status = ?, body = ? WHERE id = ?", status, JSON.stringify(body), id);
        for (const [position, item] of (output ?? []).entries()) addItem(db, id, "output", position, item);
        if (conversation) appendItems(db, conversation.id, conversation.items);
      }),
    );
  }

  async addOutput(id: string, position: number, item: KeptItem): Promise<void> {
    await this.#database.use((db) => addItem(db, id, "output", position, item));
  }

  async output(id: string): Promise<KeptItem[]> {
    return this.#database.use((db) =>
      db.all(
        KeptItemRow,
        "SELECT id, item, told FROM response_items WHERE response = ? AND side = 'output' ORDER BY position",
        id,
      ),
    );
  }

  async chain(owner: string, id: string): Promise<KeptItem[]> {
    return this.#database.use((db) => db.all(KeptItemRow, `${CHAIN} ${IN_ORDER}`, id, owner));
  }

  async input(owner: string, id: string): Promise<KeptItem[]> {
    return this.#database.use((db) =>
      db.all(KeptItemRow, `${CHAIN} WHERE c.depth > 0 OR i.side = 'input' ${IN_ORDER}`, id, owner),
    );
  }

  async findItem(owner: string, itemId: string): Promise<KeptItem | undefined> {
    return this.#database.use((db) =>
      db.first(
        KeptItemRow,
        `SELECT i.id, i.item, i.told FROM response_items i JOIN responses r ON r.id = i.response
           WHERE i.id = ?1 AND r.owner = ?2
         UNION ALL SELECT i.id, i.item, i.told FROM owned_conversation_items i
           JOIN owned_conversations c ON c.id = i.conversation WHERE i.id = ?1 AND c.owner = ?2`,
        itemId,
        owner,
      ),
    );
  }

  async remove(owner: string, id: string): Promise<boolean> {
    return this.#database.use((db) =>
      db.transaction(() => {
        const { changes } = db.run(
          "UPDATE responses SET deleted = 1 WHERE id = ? AND owner = ? AND deleted = 0",
          id,
          owner,
        );
        if (changes > 0) dropUnneeded(db, owner);
        return changes > 0;
      }),
    );
  }

  async addEvents(id: string, events: readonly StreamedEvent[]): Promise<void> {
    await this.#database.use((db) =>
      db.transaction(() => {
        for (const { sequence, event } of events)
          db.run(
            "INSERT INTO response_events (response, sequence, event) VALUES (?, ?, ?)",
            id,
            sequence,
            JSON.stringify(event),
          );
      }),
    );
  }

  async events(id: string, after: number): Promise<StreamedEvent[]> {
    return this.#database.use((db) =>
      db.all(
        EventRow,
        "SELECT sequence, event FROM response_events WHERE response = ? AND sequence > ? ORDER BY sequence",
        id,
        after,
      ),
    );
  }

  async unfinished(): Promise<ResponseRecord[]> {
    return this.#database.use((db) => db.all(Row, `${SELECT} WHERE status IN ('queued', 'in_progress')`));
  }
}

function addItem(
  db: Connection,
  response: string,
  side: "input" | "output",
  position: number,
  kept: KeptItem,
): void {
  db.run(
    "INSERT INTO response_items (response, side, position, id, item, told) VALUES (?, ?, ?, ?, ?, ?)",
    response,
    side,
    position,
    kept.id,
    JSON.stringify(kept.item),
    toldColumn(kept),
  );
}

/** A removed response goes when no other follows it any more, and so may those before it. */
function dropUnneeded(db: Connection, owner: string): void {
  const unneeded = `SELECT id FROM responses r WHERE deleted = 1 AND owner = ?
    AND NOT EXISTS (SELECT 1 FROM responses next WHERE next.previous = r.id)`;
  for (;;) {
    const found = db.all(Id, unneeded, owner);
    if (found.length === 0) return;
    for (const { id } of found) db.run("DELETE FROM responses WHERE id = ?", id);
  }
}
