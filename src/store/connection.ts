import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { z } from "zod";
import { storeError } from "./store-error.ts";

export interface ConnectionParts {
  readonly path: string;
  readonly sqlite: DatabaseSync;
  readonly onLog: (line: string) => void;
}

/** Columns that say which row it is, and nothing of what is in it. */
const KEYS = ["conversation", "position", "id", "name"];

/** An open SQLite file. What it answers is parsed, and what it cannot do is said in words. */
export class Connection {
  readonly #path: string;
  readonly #sqlite: DatabaseSync;
  readonly #onLog: (line: string) => void;
  readonly #statements = new Map<string, StatementSync>();

  constructor(parts: ConnectionParts) {
    this.#path = parts.path;
    this.#sqlite = parts.sqlite;
    this.#onLog = parts.onLog;
  }

  /** The rows that can be read; the others are skipped and logged. */
  all<Row>(schema: z.ZodType<Row>, sql: string, ...values: SQLInputValue[]): Row[] {
    const rows = this.#guard(() => this.#prepare(sql).all(...values));
    return rows.flatMap((row) => {
      const read = schema.safeParse(row);
      if (read.success) return [read.data];
      const where = KEYS.filter((key) => key in row).map((key) => `${key} ${row[key]}`);
      this.#onLog(
        `The store ${this.#path} has a row that cannot be read (${where.join(", ")}); it is skipped: ${read.error.issues[0]?.message}`,
      );
      return [];
    });
  }

  first<Row>(schema: z.ZodType<Row>, sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.all(schema, sql, ...values)[0];
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.#guard(() => this.#prepare(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  exec(sql: string): void {
    this.#guard(() => this.#sqlite.exec(sql));
  }

  /** All of the work or none of it. Other processes wait with their writing meanwhile. */
  transaction<T>(work: () => T): T {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk may have rolled it back already.
      if (this.#sqlite.isTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#sqlite.isOpen) this.#sqlite.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(this.#path, error);
    }
  }
}
