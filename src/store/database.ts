// make the file, for its owner only → open it → several processes may share it → bring it to our version

import { chmod, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { Connection } from "./connection.ts";
import { migrations as ours } from "./migrations.ts";
import { isBusy, storeError } from "./store-error.ts";

export interface DatabaseOptions {
  readonly home: string;
  readonly onLog?: (line: string) => void;
  readonly migrations?: readonly string[];
}

const FILE_NAME = "glovebox.db";
/** How long a write waits for those of other processes. */
const BUSY_TIMEOUT_MS = 10_000;
const RETRY_MS = 20;
const Version = z.object({ user_version: z.number().int() });

/** The file below the home that outlives the process. It is opened with its first use. */
export class Database {
  readonly path: string;
  readonly #options: DatabaseOptions;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #closed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.path = join(options.home, FILE_NAME);
  }

  /** Once the file is open, the work is done before this returns its promise. */
  async use<T>(work: (connection: Connection) => T): Promise<T> {
    return work(this.#connection ?? (await this.#open()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const connection = await this.#opening?.catch(() => undefined);
    this.#connection = undefined;
    connection?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): Promise<Connection> {
    if (this.#closed) throw new GloveboxError("store", `The store ${this.path} is closed; open another one.`);
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw storeError(this.path, error);
    });
    return this.#opening;
  }

  async #connect(): Promise<Connection> {
    const { home, onLog, migrations } = this.#options;
    const { DatabaseSync: Sqlite } = await import("node:sqlite").catch((cause: unknown) => {
      const message = `Node ${process.versions.node} has no SQLite for the store; use Node 22.18 or newer.`;
      throw new GloveboxError("store", message, { cause });
    });
    await makePrivateFile(home, this.path);
    const sqlite = new Sqlite(this.path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    try {
      const connection = new Connection({ path: this.path, sqlite, onLog: onLog ?? (() => {}) });
      await shareFile(sqlite);
      migrate(connection, this.path, migrations ?? ours);
      this.#connection = connection;
      return connection;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }
}

async function makePrivateFile(home: string, path: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    const { mode } = await file.stat();
    // SQLite gives the files beside it the same mode.
    if (mode & 0o077) await chmod(path, 0o600);
  } finally {
    await file.close();
  }
}

/** Readers and a writer beside each other; what is committed is on the disk. */
async function shareFile(sqlite: DatabaseSync): Promise<void> {
  const lastTry = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      return;
    } catch (error) {
      // The change to WAL does not wait for other processes by itself.
      if (!isBusy(error) || performance.now() > lastTry) throw error;
      await wait(RETRY_MS);
    }
  }
}

function migrate(connection: Connection, path: string, migrations: readonly string[]): void {
  const version = () => connection.first(Version, "PRAGMA user_version")?.user_version ?? 0;
  if (version() === migrations.length) return;
  connection.transaction(() => {
    const from = version();
    if (from > migrations.length) {
      throw new GloveboxError(
        "store",
        `The store ${path} was written by a newer Glovebox (version ${from} of the store; this one knows ${migrations.length}). Update Glovebox, or set GLOVEBOX_HOME to another folder.`,
      );
    }
    for (const step of migrations.slice(from)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
