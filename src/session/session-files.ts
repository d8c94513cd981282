import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { FileEntry } from "../protocol/result.ts";
import { nameInSession } from "./file-names.ts";
import type { KernelLink } from "./kernel-link.ts";
import type { Mirror } from "./mirror.ts";
import { CHUNK_BYTES, download } from "./transfer.ts";

/** Bytes, a stream of them, or the path of a file on the host. */
export type FileSource = string | Uint8Array | AsyncIterable<Uint8Array>;

const Listing = z.object({ files: z.array(FileEntry), complete: z.boolean() });

/** The files of one session, as they are now; whatever is put is kept on the host as well. */
export class SessionFiles {
  readonly #link: () => Promise<KernelLink>;
  readonly #mirror: Mirror;

  constructor(link: () => Promise<KernelLink>, mirror: Mirror) {
    this.#link = link;
    this.#mirror = mirror;
  }

  async put(path: string, source: FileSource): Promise<void> {
    const name = nameInSession(path);
    const bytes = await openSource(source);
    await this.#mirror.put(await this.#link(), name, bytes);
  }

  /** The whole file; for a large one use `read`. */
  async get(path: string): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.read(path)));
  }

  /** The file part by part; a part is asked for only when the one before is taken. */
  async *read(path: string): AsyncGenerator<Uint8Array> {
    const name = nameInSession(path);
    yield* download(await this.#link(), name);
  }

  async list(): Promise<FileEntry[]> {
    const reply = await (await this.#link()).request({ type: "list" });
    return Listing.parse(reply.value).files;
  }

  async remove(path: string): Promise<void> {
    const name = nameInSession(path);
    await (await this.#link()).request({ type: "remove", path: name });
    await this.#mirror.forget(name);
  }
}

async function openSource(source: FileSource): Promise<AsyncIterable<Uint8Array>> {
  if (source instanceof Uint8Array) return Readable.from([source]);
  if (typeof source !== "string") return onlyBytes(source);
  const found = await stat(source).catch((cause) => {
    throw new GloveboxError("file-missing", `There is no file "${source}" on this machine; check the path.`, {
      cause,
    });
  });
  if (!found.isFile()) {
    throw new GloveboxError("file-kind", `"${source}" is not an ordinary file; put its files one by one.`);
  }
  return readHostFile(source);
}

async function* readHostFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (cause) {
    throw new GloveboxError("file-kind", `"${path}" cannot be read; check its permissions.`, { cause });
  }
}

async function* onlyBytes(source: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (!(chunk instanceof Uint8Array)) {
      throw new GloveboxError("usage", "A file's stream must give bytes; encode its text first.");
    }
    yield chunk;
  }
}
