// a row in the store → a folder with its files → a session when code is run → the session ends when nobody uses it
import type { Readable } from "node:stream";
import type { Glovebox } from "../../compose.ts";
import { parseBytes } from "../../config.ts";
import type { StoredContainer } from "../../store/containers.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { newId } from "../ids.ts";
import type { OwnerStorage } from "../owner-storage.ts";
import { type Page, type PageRequest, pageOf, unknownCursor } from "../pagination.ts";
import type { ServerConfig } from "../server-config.ts";
import { notFound, overLimit, unsupported, WireError } from "../wire-error.ts";
import { Activity } from "./activity.ts";
import { ContainerFiles, type ReadyFile } from "./container-files.ts";
import { ContainerFolders } from "./container-folder.ts";
import {
  type ContainerFileRecord,
  type ContainerFileSource,
  type ContainerLease,
  type ContainerRecord,
  type ContainerService,
  type MemoryTier,
  memoryTiers,
  type NewContainer,
} from "./container-service.ts";
import { KeyedTurns } from "./keyed-turns.ts";
import { type LiveSession, LiveSessions } from "./live-sessions.ts";
import { uniqueNames } from "./unique-names.ts";

export interface SessionContainersParts {
  readonly box: Glovebox;
  readonly home: string;
  readonly config: ServerConfig;
  readonly files: StoredFiles;
  readonly storage: OwnerStorage;
  readonly now: () => number;
  readonly onLog: (line: string) => void;
}

const MINUTE_MS = 60_000;
const RETRY_SECONDS = 60;

export class SessionContainers implements ContainerService {
  readonly #parts: SessionContainersParts;
  readonly #live: LiveSessions;
  readonly #folders: ContainerFolders;
  readonly #files: ContainerFiles;
  readonly #activity: Activity;
  readonly #turns = new KeyedTurns();

  constructor(parts: SessionContainersParts) {
    const { box, home, config, files, storage, now } = parts;
    const { limits } = config;
    this.#parts = parts;
    this.#live = new LiveSessions(limits.sessionsPerKey);
    this.#folders = new ContainerFolders(home);
    this.#activity = new Activity(box.store.containers, now);
    this.#files = new ContainerFiles({
      store: box.store,
      folders: this.#folders,
      storage,
      uploads: files,
      live: this.#live,
      workBytes: limits.workBytes,
      mostBytes: limits.fileBytes,
      now,
    });
  }

  get sessionCount(): number {
    return this.#live.count;
  }

  async create(owner: string, wanted: NewContainer): Promise<ContainerRecord> {
    const { config, now, box, storage } = this.#parts;
    const memoryLimit = wanted.memoryLimit ?? "1g";
    checkMemory(memoryLimit, config.limits.memory);
    const { containersPerKey } = config.limits;
    if ((await box.store.containers.count(owner)) >= containersPerKey) {
      throw overLimit(
        `You have ${containersPerKey} containers, which is the most; delete some.`,
        RETRY_SECONDS,
      );
    }
    const ready: ReadyFile[] = [];
    for (const fileId of wanted.fileIds ?? []) ready.push(await this.#files.prepare(owner, { fileId }));
    const files = uniqueNames(ready);
    const id = newId("cntr_");
    await this.#files.checkRoom(id, files);
    await storage.check(
      owner,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const nowMs = now();
    const row: StoredContainer = {
      id,
      owner,
      name: wanted.name,
      memoryLimit,
      expiresAfterMinutes: wanted.expiresAfterMinutes ?? config.containerMinutes,
      createdMs: nowMs,
      lastActiveMs: nowMs,
      opened: false,
    };
    await box.store.containers.add(row);
    try {
      for (const file of files) await this.#files.place(id, file);
    } catch (error) {
      await this.remove(owner, id).catch(() => {});
      throw error;
    }
    return this.#record(row);
  }

  async get(owner: string, id: string, options: { touch?: boolean } = {}): Promise<ContainerRecord> {
    const row = await this.#find(owner, id);
    if (options.touch && !this.#isExpired(row)) await this.#activity.touch(row);
    return this.#record(row);
  }

  async list(owner: string, page: PageRequest & { name?: string }): Promise<Page<ContainerRecord>> {
    const rows = await this.#parts.box.store.containers.list(owner, { ...page, limit: page.limit + 1 });
    if (!rows) throw unknownCursor(page.after ?? "");
    return pageOf(
      rows.map((row) => this.#record(row)),
      page.limit,
    );
  }

  async remove(owner: string, id: string): Promise<void> {
    await this.#find(owner, id);
    await this.#turns.run(id, async () => {
      await this.#parts.box.store.containers.remove(owner, id);
      this.#activity.forget(id);
      await this.#live.close(id);
      await this.#folders.destroy(id);
    });
  }

  async open(owner: string, id: string): Promise<ContainerLease> {
    return this.#turns.run(id, async () => {
      const row = await this.#usable(owner, id);
      const expired = this.#isExpired(row);
      if (expired) await this.#live.close(id);
      const found = this.#live.get(id);
      const live = found ?? (await this.#live.open(id, owner, () => this.#session(row)));
      live.leases += 1;
      await this.#activity.touch({ ...row, opened: true });
      if (!row.opened) await this.#activity.write(id, true);
      const lost = !found && row.opened ? this.#whatIsLost(row, expired) : undefined;
      return this.#lease(row, live, lost);
    });
  }

  async addFile(owner: string, id: string, source: ContainerFileSource): Promise<ContainerFileRecord> {
    await this.#usable(owner, id);
    await using ready = await this.#files.prepare(owner, source);
    return await this.#turns.run(id, async () => {
      const row = await this.#usable(owner, id);
      await this.#files.checkRoom(id, [ready]);
      await this.#parts.storage.check(owner, "fileId" in source ? ready.bytes : 0);
      await this.#activity.touch(row);
      return this.#files.place(id, ready);
    });
  }

  async listFiles(owner: string, id: string, page: PageRequest): Promise<Page<ContainerFileRecord>> {
    await this.#find(owner, id);
    return this.#turns.run(id, () => this.#files.list(id, page));
  }

  async getFile(owner: string, id: string, fileId: string): Promise<ContainerFileRecord> {
    await this.#find(owner, id);
    return this.#files.get(id, fileId);
  }

  async readFile(
    owner: string,
    id: string,
    fileId: string,
  ): Promise<{ record: ContainerFileRecord; bytes: Readable }> {
    await this.get(owner, id, { touch: true });
    return this.#files.read(id, fileId);
  }

  async removeFile(owner: string, id: string, fileId: string): Promise<void> {
    await this.get(owner, id, { touch: true });
    await this.#turns.run(id, () => this.#files.remove(id, fileId));
  }

  async noteFiles(
    owner: string,
    id: string,
    files: readonly { path: string; bytes: number }[],
  ): Promise<ContainerFileRecord[]> {
    await this.#find(owner, id);
    return this.#files.note(
      id,
      files.map(({ path }) => path),
    );
  }

  /** Ends the sessions that nobody has used for as long as their containers allow. */
  async sweep(): Promise<void> {
    const ended = await Promise.allSettled(
      this.#live.all().map(([id, { owner }]) =>
        this.#turns.run(id, async () => {
          const row = await this.#parts.box.store.containers.get(owner, id);
          if (row && !this.#isExpired(row)) return;
          await this.#activity.write(id, true);
          await this.#live.close(id);
        }),
      ),
    );
    for (const each of ended)
      if (each.status === "rejected") this.#parts.onLog(`An expired session was not ended: ${each.reason}`);
  }

  /** Removes what a killed server left behind. */
  async recover(): Promise<void> {
    await this.#folders.sweep(await this.#parts.box.store.containers.ids());
  }

  async close(): Promise<void> {
    const ids = this.#live.all().map(([id]) => id);
    await Promise.allSettled(
      ids.map(async (id) => {
        await this.#activity.write(id, true);
        await this.#live.close(id);
      }),
    );
  }

  async #find(owner: string, id: string): Promise<StoredContainer> {
    const row = await this.#parts.box.store.containers.get(owner, id);
    if (!row) throw notFound("Container", id);
    return row;
  }

  async #usable(owner: string, id: string): Promise<StoredContainer> {
    const row = await this.#find(owner, id);
    if (this.#parts.config.containerExpired === "error" && this.#isExpired(row)) {
      throw new WireError({ status: 400, message: "Container is expired." });
    }
    return row;
  }

  #session(row: StoredContainer) {
    const { workBytes, cellMs } = this.#parts.config.limits;
    const memoryBytes = parseBytes(row.memoryLimit, "memory_limit");
    return this.#parts.box.session({ id: row.id, limits: { memoryBytes, workBytes, timeoutMs: cellMs } });
  }

  #lease(row: StoredContainer, live: LiveSession, revived: string | undefined): ContainerLease {
    let over = false;
    return {
      record: this.#record(row),
      session: live.session,
      ...(revived === undefined ? {} : { revived }),
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        live.leases -= 1;
        if (this.#live.get(row.id) !== live) return;
        this.#activity
          .touch({ ...row, opened: true })
          .catch((error: unknown) => this.#parts.onLog(`The use of ${row.id} was not noted: ${error}`));
      },
    };
  }

  #isExpired(row: StoredContainer): boolean {
    if ((this.#live.get(row.id)?.leases ?? 0) > 0) return false;
    return this.#parts.now() >= this.#activity.lastOf(row) + row.expiresAfterMinutes * MINUTE_MS;
  }

  #whatIsLost(row: StoredContainer, expired: boolean): string {
    const why = expired
      ? `The container was not used for ${row.expiresAfterMinutes} minutes and had expired.`
      : "The server was started anew.";
    return `${why} It goes on with its files; the variables and imports of earlier cells are gone.`;
  }

  #record(row: StoredContainer): ContainerRecord {
    const { opened: _, memoryLimit, ...rest } = row;
    return {
      ...rest,
      memoryLimit: memoryLimit as MemoryTier,
      lastActiveMs: this.#activity.lastOf(row),
      status: this.#isExpired(row) ? "expired" : "running",
    };
  }
}

function checkMemory(wanted: MemoryTier, most: MemoryTier): void {
  if (memoryTiers.indexOf(wanted) <= memoryTiers.indexOf(most)) return;
  throw unsupported(
    "memory_limit",
    `memory_limit '${wanted}' is more than this server gives; it gives up to '${most}'.`,
  );
}
