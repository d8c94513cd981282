import { createReadStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { SessionFolder } from "../../store/session-folder.ts";

const READ_BYTES = 256 * 1024;
const CONTAINER = /^cntr_[0-9a-f]+$/;

/** The files of containers as the host has them, whether a session is alive or not. */
export class ContainerFolders {
  readonly #sessions: string;

  constructor(home: string) {
    this.#sessions = join(home, "sessions");
  }

  async sizes(id: string): Promise<Map<string, number>> {
    const folder = this.#of(id);
    const found = await Promise.all(
      (await folder.list()).map(async (name) => [name, await sizeOf(join(folder.path, name))] as const),
    );
    return new Map(found.filter((entry): entry is [string, number] => entry[1] !== undefined));
  }

  async size(id: string, name: string): Promise<number | undefined> {
    return sizeOf(join(this.#of(id).path, name));
  }

  /** For a container without a live session; a session brings its own files in step. */
  async put(id: string, name: string, hostPath: string): Promise<void> {
    const draft = await this.#of(id).write(name);
    try {
      for await (const part of createReadStream(hostPath, { highWaterMark: READ_BYTES }))
        await draft.write(part as Buffer);
    } catch (error) {
      await draft.discard();
      throw error;
    }
    await draft.keep();
  }

  async read(id: string, name: string): Promise<{ bytes: Readable; size: number } | undefined> {
    const handle = await this.#of(id)
      .read(name)
      .catch(() => undefined);
    if (!handle) return undefined;
    const { size } = await handle.stat();
    return { bytes: handle.createReadStream({ highWaterMark: READ_BYTES }), size };
  }

  async removeFile(id: string, name: string): Promise<void> {
    await this.#of(id).remove(name);
  }

  async destroy(id: string): Promise<void> {
    await this.#of(id).destroy();
  }

  /** Removes what a killed server left: folders of containers that are gone, and half-written files of the others. */
  async sweep(known: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#sessions).catch(() => []);
    for (const name of names.filter((each) => CONTAINER.test(each))) {
      const left = known.has(name) ? join(this.#sessions, name, "drafts") : join(this.#sessions, name);
      await rm(left, { recursive: true, force: true });
    }
  }

  #of(id: string): SessionFolder {
    return new SessionFolder(join(this.#sessions, id));
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}
