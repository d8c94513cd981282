import { randomUUID } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GloveboxError } from "../errors.ts";
import { isNameBelow } from "../support/name-below.ts";

/** The host's copy of one session's working folder. Only we write here, so what is here holds no links. */
export class SessionFolder {
  readonly path: string;
  readonly #drafts: string;

  constructor(path: string) {
    this.path = join(path, "files");
    this.#drafts = join(path, "drafts");
  }

  async write(name: string): Promise<Draft> {
    const target = this.#locate(name);
    await mkdir(this.#drafts, { recursive: true, mode: 0o700 });
    const draft = join(this.#drafts, randomUUID());
    const handle = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    return new Draft(handle, draft, target);
  }

  async read(name: string): Promise<FileHandle> {
    return open(this.#locate(name), constants.O_RDONLY | constants.O_NOFOLLOW);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#locate(name), { recursive: true, force: true });
  }

  /** Names of all files, as the session knows them. */
  async list(): Promise<string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true }).catch(
      (): Dirent[] => [],
    );
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1));
  }

  async destroy(): Promise<void> {
    await rm(dirname(this.path), { recursive: true, force: true });
  }

  /** Names come out of the sandbox: one that could lead elsewhere is refused. */
  #locate(name: string): string {
    if (!isNameBelow(name)) {
      throw new GloveboxError("file-name", `"${name}" is not a file name; use one like "folder/name.csv".`);
    }
    return join(this.path, name);
  }
}

/** A file on its way: it takes its name only when it is whole. */
export class Draft {
  readonly #handle: FileHandle;
  readonly #draft: string;
  readonly #target: string;

  constructor(handle: FileHandle, draft: string, target: string) {
    this.#handle = handle;
    this.#draft = draft;
    this.#target = target;
  }

  async write(data: Uint8Array): Promise<void> {
    await this.#handle.writeFile(data);
  }

  async keep(): Promise<void> {
    await this.#handle.close();
    await mkdir(dirname(this.#target), { recursive: true, mode: 0o700 });
    await rename(this.#draft, this.#target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EISDIR" && error.code !== "ENOTEMPTY") throw error;
      // A folder of that name has become a file.
      await rm(this.#target, { recursive: true });
      await rename(this.#draft, this.#target);
    });
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.#draft, { force: true });
  }
}
