import { type FileHandle, mkdir, open, realpath, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { OpenAI } from "openai";
import { GloveboxError } from "../../errors.ts";
import type { FileCitation } from "../../protocol/items.ts";
import { clientOf, type ProviderOptions, requestOptions } from "./client.ts";
import { ProviderId } from "./container-config.ts";
import { checked } from "./containers.ts";
import { asking } from "./refusal.ts";

export interface DownloadOptions extends ProviderOptions {
  /** Made when it is not there. Nothing in it is overwritten, and nothing outside of it is written. */
  readonly folder: string;
  /** For each file; 512 MiB unless told. */
  readonly maxBytes?: number;
}

export interface DownloadedFile {
  readonly fileId: string;
  readonly containerId: string;
  /** On the host. */
  readonly path: string;
  readonly bytes: number;
}

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_NAME_BYTES = 200;
const MAX_ATTEMPTS = 10_000;

/** Fetches the files that a result cites, each once. */
export async function downloadCitations(
  cited: { readonly citations: readonly FileCitation[] },
  options: DownloadOptions,
): Promise<DownloadedFile[]> {
  const files = new Map<string, FileCitation>();
  for (const citation of cited.citations) {
    const containerId = checked(ProviderId, citation.container_id, "A citation's container id");
    const fileId = checked(ProviderId, citation.file_id, "A citation's file id");
    files.set(`${containerId}/${fileId}`, citation);
  }
  if (files.size === 0) return [];
  await mkdir(options.folder, { recursive: true });
  const folder = await realpath(options.folder);
  const client = await clientOf(options);
  const downloaded: DownloadedFile[] = [];
  for (const citation of files.values())
    downloaded.push(await download(citation, { ...options, folder, client }));
  return downloaded;
}

async function download(
  citation: FileCitation,
  options: DownloadOptions & { readonly client: OpenAI },
): Promise<DownloadedFile> {
  const { container_id: containerId, file_id: fileId } = citation;
  const what = `The file ${fileId} of the container ${containerId} cannot be downloaded`;
  const asked = { what, containerId, signal: options.signal };
  const answer = await asking(asked, () =>
    options.client.containers.files.content.retrieve(
      fileId,
      { container_id: containerId },
      requestOptions(options),
    ),
  );
  const { path, handle } = await createBeside(options.folder, safeName(citation.filename, fileId));
  try {
    const bytes = await asking(asked, () => receive(answer, handle, options));
    return { fileId, containerId, path, bytes };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function receive(answer: Response, handle: FileHandle, options: DownloadOptions): Promise<number> {
  const most = options.maxBytes ?? MAX_BYTES;
  let bytes = 0;
  const counted = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > most) {
        throw new GloveboxError(
          "file-too-large",
          `A cited file has more than ${most} bytes; raise maxBytes to have it.`,
        );
      }
      yield part;
    }
  };
  const body = answer.body ? Readable.fromWeb(answer.body as ReadableStream<Uint8Array>) : Readable.from([]);
  const target = handle.createWriteStream();
  await pipeline(body, counted, target, options.signal ? { signal: options.signal } : {});
  return bytes;
}

/** A new file of that name, or of the next free one: plot.png, plot-2.png … */
async function createBeside(folder: string, name: string): Promise<{ path: string; handle: FileHandle }> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const path = join(folder, attempt === 1 ? name : `${stem}-${attempt}${extension}`);
    try {
      return { path, handle: await open(path, "wx", 0o644) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new GloveboxError(
    "file-name",
    `"${folder}" is full of files named like "${name}"; take another folder.`,
  );
}

/** The last part of a name from the model, as one ordinary file name. */
function safeName(filename: string, fileId: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}:*?"<>|]/gu, "_")
    .replace(/^[.\s-]+/, "")
    .trim();
  if (plain === "") return fileId;
  if (Buffer.byteLength(plain) <= MAX_NAME_BYTES) return plain;
  const extension = extname(plain).slice(0, 20);
  const stem = Buffer.from(plain)
    .subarray(0, MAX_NAME_BYTES - Buffer.byteLength(extension))
    .toString("utf8");
  return `${stem.replace(/\uFFFD+$/, "")}${extension}`;
}
