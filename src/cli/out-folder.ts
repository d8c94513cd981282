import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { GloveboxError } from "../errors.ts";
import { nameInSession } from "../session/file-names.ts";
import { oneLine } from "./safe-text.ts";

const CONTROLS = /\p{Cc}/u;

/** The folder that --out names. What is saved stays inside it, whatever names come out of the sandbox. */
export class OutFolder {
  readonly path: string;
  readonly #root: string;

  private constructor(path: string, root: string) {
    this.path = path;
    this.#root = root;
  }

  static async open(path: string): Promise<OutFolder> {
    try {
      await makeFolder(resolve(path));
      const root = await realpath(path);
      const probe = join(root, draftName());
      await (await open(probe, "wx")).close();
      await rm(probe);
      return new OutFolder(path, root);
    } catch (cause) {
      throw new GloveboxError(
        "usage",
        `Cannot write to --out ${path}; name a folder that you can write to.`,
        {
          cause,
        },
      );
    }
  }

  /** Where people find a file of the session afterwards. */
  locate(name: string): string {
    return join(this.path, name);
  }

  async save(sessionPath: string, bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<void> {
    const parts = nameInSession(sessionPath).split("/");
    const name = parts.pop() ?? "";
    if (CONTROLS.test(sessionPath)) throw this.#refusal(sessionPath, "its name has control characters");
    const folder = await this.#enter(parts);
    const target = join(folder, name);
    const standing = await lstat(target).catch(() => undefined);
    if (standing && !standing.isFile()) {
      throw this.#refusal(
        sessionPath,
        standing.isSymbolicLink() ? "a link has its place" : "a folder has its place",
      );
    }
    // A file takes its name when it is whole, and takes the place of another instead of writing into it.
    const draft = join(folder, draftName());
    try {
      await this.#write(draft, bytes, mostBytes, sessionPath);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Goes down folder by folder, so that no link on the way is followed. */
  async #enter(parts: readonly string[]): Promise<string> {
    let folder = this.#root;
    for (const part of parts) {
      folder = join(folder, part);
      await mkdir(folder).catch(ifNot("EEXIST"));
      if (!(await lstat(folder)).isDirectory()) {
        throw this.#refusal(parts.join("/"), "a link or file has the place of its folder");
      }
    }
    return folder;
  }

  async #write(
    draft: string,
    bytes: AsyncIterable<Uint8Array>,
    mostBytes: number,
    path: string,
  ): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = await open(draft, flags, 0o644);
    try {
      let room = mostBytes;
      for await (const part of bytes) {
        room -= part.length;
        if (room < 0) throw this.#refusal(path, "the files made are larger than --disk allows");
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
  }

  #refusal(path: string, why: string): GloveboxError {
    return new GloveboxError("file-name", `Not saved to ${this.path}: ${oneLine(path)} (${why}).`);
  }
}

/** Node's own recursive mkdir never returns below /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path).catch(ifNot("EEXIST"));
  await make().catch(async (error: NodeJS.ErrnoException) => {
    ifNot("ENOENT")(error);
    await makeFolder(dirname(path));
    await make();
  });
}

function ifNot(expected: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== expected) throw error;
  };
}

function draftName(): string {
  return `.glovebox-${randomUUID()}`;
}
