import type { Readable } from "node:stream";
import { GloveboxError } from "../../errors.ts";
import { nameInSession, WORK_FOLDER } from "../../session/file-names.ts";
import type { StoredContainerFile } from "../../store/container-files.ts";
import type { Store } from "../../store/store.ts";
import { checkFileName } from "../files/file-name.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { newId } from "../ids.ts";
import type { OwnerStorage } from "../owner-storage.ts";
import { type Page, type PageRequest, pageOf, unknownCursor } from "../pagination.ts";
import { notFound, WireError } from "../wire-error.ts";
import type { ContainerFolders } from "./container-folder.ts";
import type { ContainerFileRecord, ContainerFileSource } from "./container-service.ts";
import type { LiveSessions } from "./live-sessions.ts";

export interface ContainerFilesParts {
  readonly store: Pick<Store, "containers" | "blobs">;
  readonly folders: ContainerFolders;
  readonly storage: OwnerStorage;
  readonly uploads: StoredFiles;
  readonly live: LiveSessions;
  readonly workBytes: number;
  readonly mostBytes: number;
  readonly now: () => number;
}

/** A file that is whole and on this machine, to be copied into a container. */
export interface ReadyFile extends AsyncDisposable {
  readonly name: string;
  readonly bytes: number;
  readonly path: string;
  readonly upload: string | null;
}

/** The files of containers. Where a session is alive they go through it, else to the folder that it will find. */
export class ContainerFiles {
  readonly #parts: ContainerFilesParts;

  constructor(parts: ContainerFilesParts) {
    this.#parts = parts;
  }

  /** What takes as long as a client does; nobody else waits for it. */
  async prepare(owner: string, source: ContainerFileSource): Promise<ReadyFile> {
    const { store, storage, uploads, mostBytes, workBytes } = this.#parts;
    if ("fileId" in source) {
      const { record, path } = await uploads.locate(owner, source.fileId);
      const name = checkedName(source.as ?? record.filename);
      return { name, bytes: record.bytes, path, upload: record.id, [Symbol.asyncDispose]: async () => {} };
    }
    const name = checkedName(source.name);
    const room = await storage.take(owner, { mostBytes: Math.min(mostBytes, workBytes) });
    try {
      const draft = await store.blobs.draft(room.counted(source.bytes));
      return {
        name,
        bytes: draft.bytes,
        path: draft.path,
        upload: null,
        async [Symbol.asyncDispose]() {
          room[Symbol.dispose]();
          await draft.discard();
        },
      };
    } catch (error) {
      room[Symbol.dispose]();
      throw error;
    }
  }

  async checkRoom(container: string, ready: readonly { name: string; bytes: number }[]): Promise<void> {
    const sizes = await this.#parts.store.containers.files.sizes(container);
    for (const { name, bytes } of ready) sizes.set(name, bytes);
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const { workBytes } = this.#parts;
    if (total <= workBytes) return;
    throw new WireError({
      status: 400,
      message: `The container's ${WORK_FOLDER} holds ${workBytes} bytes, and its files would take ${total}; delete some, or send less.`,
      code: "container_full",
    });
  }

  async place(container: string, { name, bytes, path, upload }: ReadyFile): Promise<ContainerFileRecord> {
    const { live, folders } = this.#parts;
    const session = live.get(container)?.session;
    if (session) await session.files.put(name, path);
    else await folders.put(container, name, path);
    const [record] = await this.#record(container, [{ name, bytes, upload }], "user");
    if (!record) throw new GloveboxError("store", `The file "${name}" was not recorded.`);
    return record;
  }

  async list(container: string, page: PageRequest): Promise<Page<ContainerFileRecord>> {
    await this.#agree(container);
    const rows = await this.#parts.store.containers.files.list(container, {
      ...page,
      limit: page.limit + 1,
    });
    if (!rows) throw unknownCursor(page.after ?? "");
    return pageOf(rows.map(recordOf), page.limit);
  }

  async get(container: string, id: string): Promise<ContainerFileRecord> {
    const row = await this.#find(container, id);
    const bytes = await this.#parts.folders.size(container, row.name);
    if (bytes === undefined) {
      await this.#parts.store.containers.files.removeNames(container, [row.name]);
      throw notFound("Container file", id);
    }
    return recordOf({ ...row, bytes });
  }

  async read(container: string, id: string): Promise<{ record: ContainerFileRecord; bytes: Readable }> {
    const record = await this.get(container, id);
    const found = await this.#parts.folders.read(container, nameInSession(record.path));
    if (!found) throw notFound("Container file", id);
    return { record: { ...record, bytes: found.size }, bytes: found.bytes };
  }

  async remove(container: string, id: string): Promise<void> {
    const { live, folders, store } = this.#parts;
    const { name } = await this.#find(container, id);
    await live
      .get(container)
      ?.session.files.remove(name)
      .catch((error: unknown) => {
        if (!(error instanceof GloveboxError) || error.code !== "file-missing") throw error;
      });
    await folders.removeFile(container, name);
    await store.containers.files.removeNames(container, [name]);
  }

  /** Only what the host has kept; the rest can be given to nobody. */
  async note(container: string, paths: readonly string[]): Promise<ContainerFileRecord[]> {
    const kept: { name: string; bytes: number }[] = [];
    for (const name of new Set(paths.map(nameInSession))) {
      const bytes = await this.#parts.folders.size(container, name);
      if (bytes !== undefined) kept.push({ name, bytes });
    }
    return this.#record(container, kept, "assistant");
  }

  /** Brings the rows in step with what is there: cells make and remove files as they like. */
  async #agree(container: string): Promise<void> {
    const { store, folders } = this.#parts;
    const [rows, there] = [await store.containers.files.sizes(container), await folders.sizes(container)];
    await store.containers.files.removeNames(
      container,
      [...rows.keys()].filter((name) => !there.has(name)),
    );
    const changed = [...there].filter(([name, bytes]) => rows.get(name) !== bytes);
    await this.#record(
      container,
      changed.map(([name, bytes]) => ({ name, bytes })),
      "assistant",
    );
  }

  async #record(
    container: string,
    files: readonly { name: string; bytes: number; upload?: string | null }[],
    source: "user" | "assistant",
  ): Promise<ContainerFileRecord[]> {
    const createdMs = this.#parts.now();
    const rows = files.map(({ upload = null, ...file }) => {
      return { ...file, id: newId("cfile_"), container, source, createdMs, upload };
    });
    return (await this.#parts.store.containers.files.put(rows)).map(recordOf);
  }

  async #find(container: string, id: string): Promise<StoredContainerFile> {
    const row = await this.#parts.store.containers.files.get(container, id);
    if (!row) throw notFound("Container file", id);
    return row;
  }
}

function recordOf({ container, name, ...file }: StoredContainerFile): ContainerFileRecord {
  return { ...file, containerId: container, path: `${WORK_FOLDER}/${name}` };
}

/** The last part of the name, as it stands in /mnt/data. */
function checkedName(given: string): string {
  const name = given.split("/").at(-1) ?? "";
  checkFileName(name);
  return nameInSession(name);
}
