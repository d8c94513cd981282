import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { FileEntry } from "../protocol/result.ts";
import type { SessionFolder } from "../store/session-folder.ts";
import { nameInSession } from "./file-names.ts";
import type { KernelLink } from "./kernel-link.ts";

/** Bytes, a stream of them, or the path of a file on the host. */
export type FileSource = string | Uint8Array | AsyncIterable<Uint8Array>;

const CHUNK_BYTES = 1 << 20;
const Handle = z.object({ handle: z.number() });
const Listing = z.object({ files: z.array(FileEntry), complete: z.boolean() });

/** The files of one session, as they are now; whatever is put is kept on the host as well. */
export class SessionFiles {
  readonly #link: () => Promise<KernelLink>;
  readonly #folder: SessionFolder;

  constructor(link: () => Promise<KernelLink>, folder: SessionFolder) {
    this.#link = link;
    this.#folder = folder;
  }

  async put(path: string, source: FileSource): Promise<void> {
    const name = nameInSession(path);
    const bytes = await openSource(source);
    const link = await this.#link();
    const draft = await this.#folder.write(name);
    try {
      await upload(
        link,
        name,
        tee(bytes, (chunk) => draft.write(chunk)),
      );
    } catch (error) {
      await draft.discard();
      throw error;
    }
    await draft.keep();
  }

  /** The whole file; for a large one use `read`. */
  async get(path: string): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.read(path)));
  }

  /** The file part by part; a part is asked for only when the one before is taken. */
  async *read(path: string): AsyncGenerator<Uint8Array> {
    const link = await this.#link();
    yield* download(link, nameInSession(path));
  }

  async list(): Promise<FileEntry[]> {
    const link = await this.#link();
    const reply = await link.request({ type: "list" });
    return Listing.parse(reply.value).files;
  }

  async remove(path: string): Promise<void> {
    const name = nameInSession(path);
    const link = await this.#link();
    await link.request({ type: "remove", path: name });
    await this.#folder.remove(name);
  }
}

export async function upload(
  link: KernelLink,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { handle } = Handle.parse((await link.request({ type: "put", path: name })).value);
  try {
    for await (const part of bytes) {
      for (let start = 0; start < part.length; start += CHUNK_BYTES) {
        await link.request({ type: "put-next", handle }, part.subarray(start, start + CHUNK_BYTES));
      }
    }
  } catch (error) {
    await link.request({ type: "put-end", handle, keep: false }).catch(() => {});
    throw error;
  }
  await link.request({ type: "put-end", handle, keep: true });
}

export async function* download(link: KernelLink, name: string): AsyncGenerator<Uint8Array> {
  const { handle } = Handle.parse((await link.request({ type: "get", path: name })).value);
  try {
    for (;;) {
      const { payload } = await link.request({ type: "get-next", handle });
      if (payload.length === 0) return;
      yield payload;
    }
  } finally {
    await link.request({ type: "get-end", handle }).catch(() => {});
  }
}

async function openSource(source: FileSource): Promise<AsyncIterable<Uint8Array>> {
  if (source instanceof Uint8Array) return Readable.from([source]);
  if (typeof source !== "string") return source;
  const found = await stat(source).catch((cause) => {
    throw new GloveboxError("file-missing", `There is no file "${source}" on this machine; check the path.`, {
      cause,
    });
  });
  if (!found.isFile()) {
    throw new GloveboxError("file-kind", `"${source}" is not an ordinary file; put its files one by one.`);
  }
  return createReadStream(source, { highWaterMark: CHUNK_BYTES });
}

async function* tee(
  bytes: AsyncIterable<Uint8Array>,
  also: (chunk: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (!(chunk instanceof Uint8Array)) {
      throw new GloveboxError("usage", "A file's stream must give bytes; encode its text first.");
    }
    await also(chunk);
    yield chunk;
  }
}
