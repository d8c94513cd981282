import type { ContainerFileRecord, ContainerLease, MemoryTier } from "../containers/container-service.ts";
import { uniqueNames } from "../containers/unique-names.ts";
import type { ServerParts } from "../server-parts.ts";
import { WireError } from "../wire-error.ts";
import type { WantedFile } from "./input-files.ts";

/** Which container a response is to use. */
export type WantedContainer =
  | { readonly id: string }
  | {
      readonly auto: {
        /** One that an earlier call of the chain used. */
        readonly earlier?: string;
        readonly fileIds: readonly string[];
        readonly memoryLimit?: MemoryTier;
      };
    };

export interface HostedContainerParts {
  readonly server: Pick<ServerParts, "containers" | "files" | "config">;
  readonly owner: string;
  readonly wanted: WantedContainer;
  /** What the input brings; known once the input is read. */
  readonly files: () => readonly WantedFile[];
}

const LIST_PAGE = 100;
const MOST_LISTED = 1000;

/** The container of one response. It is found or made when code is about to run, and not before. */
export class HostedContainer implements Disposable {
  readonly #parts: HostedContainerParts;
  #found: Promise<{ readonly id: string; readonly made: boolean }> | undefined;
  #lease: Promise<ContainerLease> | undefined;
  #held: ContainerLease | undefined;
  #revived: string | undefined;
  #disposed = false;

  constructor(parts: HostedContainerParts) {
    this.#parts = parts;
  }

  /** Refuses at once what would only be refused when code runs: ids of nobody, files of nobody. */
  async check(): Promise<void> {
    const { server, owner, wanted } = this.#parts;
    if ("auto" in wanted) for (const fileId of wanted.auto.fileIds) await server.files.get(owner, fileId);
    const id = await this.existing();
    if (id === undefined) return;
    const { status } = await server.containers.get(owner, id);
    if (status === "expired" && server.config.containerExpired === "error") await this.open();
  }

  /** The container that is named, or was used before; undefined where one is still to be made. */
  async existing(): Promise<string | undefined> {
    const { wanted } = this.#parts;
    return "id" in wanted ? wanted.id : await this.#earlier();
  }

  async id(): Promise<string> {
    return (await this.#find()).id;
  }

  /** The live session, with the files of the input in it. */
  open(): Promise<ContainerLease> {
    this.#lease ??= this.#open();
    return this.#lease;
  }

  /** What a cell is to say about variables that are gone; once. */
  takeRevival(): string | undefined {
    const said = this.#revived;
    this.#revived = undefined;
    return said;
  }

  /** Its files, the newest of very many; undefined where there is no container yet. */
  async listed(): Promise<{ containerId: string; files: ContainerFileRecord[] } | undefined> {
    const { server, owner } = this.#parts;
    const id = this.#found ? await this.id() : await this.existing();
    if (id === undefined) return undefined;
    const files: ContainerFileRecord[] = [];
    for (let after: string | undefined; files.length < MOST_LISTED; after = files.at(-1)?.id) {
      const page = { limit: LIST_PAGE, order: "desc" as const, ...(after ? { after } : {}) };
      const { data, hasMore } = await server.containers.listFiles(owner, id, page);
      files.push(...data);
      if (!hasMore) break;
    }
    return { containerId: id, files };
  }

  /** The files that the request names and that are not among those uploads, by the names that they get. */
  async missing(
    there: ReadonlySet<string | null>,
  ): Promise<{ readonly id: string; readonly name: string }[]> {
    const { server, owner, wanted } = this.#parts;
    const ids = "auto" in wanted ? wanted.auto.fileIds.filter((id) => !there.has(id)) : [];
    const records = await Promise.all(ids.map((id) => server.files.get(owner, id)));
    return uniqueNames(records.map(({ id, filename }) => ({ id, name: filename })));
  }

  async noteFiles(files: readonly { path: string; bytes: number }[]): Promise<ContainerFileRecord[]> {
    if (files.length === 0) return [];
    return this.#parts.server.containers.noteFiles(this.#parts.owner, await this.id(), files);
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#held?.[Symbol.dispose]();
    this.#held = undefined;
  }

  #find(): Promise<{ id: string; made: boolean }> {
    this.#found ??= this.#findOrMake();
    return this.#found;
  }

  async #findOrMake(): Promise<{ id: string; made: boolean }> {
    const { server, owner, wanted } = this.#parts;
    if ("id" in wanted) return { id: wanted.id, made: false };
    const { fileIds, memoryLimit } = wanted.auto;
    const earlier = await this.#earlier();
    if (earlier) return { id: earlier, made: false };
    const record = await server.containers.create(owner, {
      name: "auto",
      fileIds,
      ...(memoryLimit ? { memoryLimit } : {}),
    });
    return { id: record.id, made: true };
  }

  /** The earlier container, unless it was removed meanwhile. */
  async #earlier(): Promise<string | undefined> {
    const { server, owner, wanted } = this.#parts;
    if ("id" in wanted || wanted.auto.earlier === undefined) return undefined;
    try {
      return (await server.containers.get(owner, wanted.auto.earlier)).id;
    } catch (error) {
      if (error instanceof WireError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #open(): Promise<ContainerLease> {
    const { server, owner, files } = this.#parts;
    const { id, made } = await this.#find();
    const lease = await server.containers.open(owner, id);
    if (this.#disposed) {
      lease[Symbol.dispose]();
      throw new WireError({ status: 409, message: "The response was stopped before its code ran." });
    }
    this.#held = lease;
    this.#revived = lease.revived;
    // Code may have changed what an earlier response was given; it is not given again.
    const there = new Set((await this.listed())?.files.map(({ upload }) => upload));
    for (const { id: fileId, name } of await this.missing(there)) {
      there.add(fileId);
      await server.containers.addFile(owner, id, { fileId, as: name });
    }
    for (const { key, source, fresh } of files()) {
      if (there.has(key) || !(fresh || made)) continue;
      there.add(key);
      await server.containers.addFile(owner, id, source);
    }
    return lease;
  }
}
