import { z } from "zod";
import type { Database } from "./database.ts";
import { jsonColumn } from "./json-column.ts";

/** A tool that a model wrote: a Python function and what it takes. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly code: string;
}

/** Tools that models defined, to be offered again in later conversations. */
export interface DefinedToolStore {
  /** Takes the place of one of the same name. */
  save(definition: ToolDefinition): Promise<{ readonly replaced: boolean }>;
  /** By name. */
  list(): Promise<ToolDefinition[]>;
  /** Whether there was such a tool. */
  remove(name: string): Promise<boolean>;
}

const Row = z.object({
  name: z.string(),
  description: z.string(),
  parameters: jsonColumn(z.record(z.string(), z.unknown())),
  code: z.string(),
});
const Count = z.object({ count: z.number() });

export class SqliteDefinedTools implements DefinedToolStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(definition: ToolDefinition): Promise<{ replaced: boolean }> {
    const { name, description, parameters, code } = definition;
    return this.#database.use((db) =>
      db.transaction(() => {
        const before = db.first(Count, "SELECT count(*) AS count FROM defined_tools WHERE name = ?", name);
        db.run(
          `INSERT INTO defined_tools (name, description, parameters, code, updated_ms) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET description = excluded.description, parameters = excluded.parameters,
             code = excluded.code, updated_ms = excluded.updated_ms`,
          name,
          description,
          JSON.stringify(parameters),
          code,
          Date.now(),
        );
        return { replaced: before?.count === 1 };
      }),
    );
  }

  async list(): Promise<ToolDefinition[]> {
    return this.#database.use((db) =>
      db.all(Row, "SELECT name, description, parameters, code FROM defined_tools ORDER BY name"),
    );
  }

  async remove(name: string): Promise<boolean> {
    return this.#database.use((db) => db.run("DELETE FROM defined_tools WHERE name = ?", name).changes > 0);
  }
}
