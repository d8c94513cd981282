// what a message holds besides words: read it → say where the session has it → show the model what it can see itself
import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import type { Readable } from "node:stream";
import type { InputPart } from "../../protocol/items.ts";
import { cutText } from "../../tools/bound-output.ts";
import type { ContainerFileSource } from "../containers/container-service.ts";
import type { FileRecord, FileService } from "../files/file-service.ts";
import { unsupported, WireError } from "../wire-error.ts";

type FilePart = Extract<InputPart, { type: "input_file" }>;
type ImagePart = Extract<InputPart, { type: "input_image" }>;

export interface InputFilesParts {
  readonly owner: string;
  readonly files: FileService;
  /** Whether there is a session that the files go to. */
  readonly hosted: boolean;
}

/** A file of the input on its way into a container. */
export interface WantedFile {
  readonly key: string;
  readonly source: ContainerFileSource;
  /** Of the newest input; older files are in a container that was there before. */
  readonly fresh: boolean;
}

const IMAGES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
};
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w.+-]+=[^;,]*)*)(;base64)?,/;
const MOST_INLINE_BYTES = 20 << 20;
const MOST_TEXT_BYTES = 256 << 10;

/** Turns the files and pictures of messages into what a model reads, and remembers what a container needs. */
export class InputFiles {
  readonly wanted: WantedFile[] = [];
  readonly #parts: InputFilesParts;

  constructor(parts: InputFilesParts) {
    this.#parts = parts;
  }

  /** `param` names the part in errors; an older part whose file is gone is no error. */
  async told(part: FilePart | ImagePart, where: { param: string; fresh: boolean }): Promise<InputPart[]> {
    try {
      return part.type === "input_image" ? await this.#image(part, where) : await this.#file(part, where);
    } catch (error) {
      if (where.fresh || !(error instanceof WireError)) throw error;
      return [note("A file of this message is no longer there.")];
    }
  }

  async #image(part: ImagePart, where: { param: string; fresh: boolean }): Promise<InputPart[]> {
    const detail = part.detail ? { detail: part.detail } : {};
    if (part.file_id) {
      const record = await this.#parts.files.get(this.#parts.owner, part.file_id);
      const mime = IMAGES[extname(record.filename).toLowerCase()];
      if (!mime)
        throw unsupported(where.param, `'${record.filename}' is not a picture; send it as an 'input_file'.`);
      const url = `data:${mime};base64,${(await this.#bytes(record, where.param)).toString("base64")}`;
      return [{ type: "input_image", image_url: url, ...detail }, ...this.#byId(record, where.fresh)];
    }
    const url = part.image_url ?? "";
    if (/^https?:\/\//i.test(url)) return [{ type: "input_image", image_url: url, ...detail }];
    const { mime, bytes } = readDataUrl(url, `${where.param}.image_url`);
    const extension = EXTENSIONS[mime];
    if (!extension)
      throw unsupported(
        `${where.param}.image_url`,
        `A picture of type '${mime}' is not taken; send PNG, JPEG, GIF or WebP.`,
      );
    const name = `image-${hashOf(bytes)}${extension}`;
    return [{ type: "input_image", image_url: url, ...detail }, ...this.#byBytes(name, bytes, where.fresh)];
  }

  async #file(part: FilePart, where: { param: string; fresh: boolean }): Promise<InputPart[]> {
    if (part.file_url) {
      throw unsupported(
        `${where.param}.file_url`,
        "This server fetches nothing from the network: upload the file to /v1/files and send its 'file_id'.",
      );
    }
    if (part.file_id) {
      const record = await this.#parts.files.get(this.#parts.owner, part.file_id);
      const inside = this.#byId(record, where.fresh);
      if (inside.length > 0 && !isPdf(record.filename)) return inside;
      return [...shownFile(record.filename, await this.#bytes(record, where.param), where.param), ...inside];
    }
    if (!part.file_data) {
      throw new WireError({
        status: 400,
        message: `Missing required parameter: '${where.param}.file_id'.`,
        code: "missing_required_parameter",
        param: `${where.param}.file_id`,
      });
    }
    const { mime, bytes } = readDataUrl(part.file_data, `${where.param}.file_data`);
    const named =
      basename(part.filename ?? "") || `file-${hashOf(bytes)}${mime === "application/pdf" ? ".pdf" : ""}`;
    const inside = this.#byBytes(named, bytes, where.fresh);
    if (inside.length > 0 && !isPdf(named)) return inside;
    return [...shownFile(named, bytes, where.param), ...inside];
  }

  #byId(record: FileRecord, fresh: boolean): InputPart[] {
    return this.#inside(record.filename, record.bytes, {
      key: record.id,
      source: { fileId: record.id },
      fresh,
    });
  }

  #byBytes(name: string, bytes: Buffer, fresh: boolean): InputPart[] {
    const source = { name, bytes: once(bytes) };
    return this.#inside(name, bytes.length, { key: `${name} ${hashOf(bytes)}`, source, fresh });
  }

  #inside(name: string, bytes: number, wanted: WantedFile): InputPart[] {
    if (!this.#parts.hosted) return [];
    if (!this.wanted.some(({ key }) => key === wanted.key)) this.wanted.push(wanted);
    return [note(`A file of ${bytes} bytes is in the session: ${JSON.stringify(`/mnt/data/${name}`)}`)];
  }

  async #bytes(record: FileRecord, param: string): Promise<Buffer> {
    if (record.bytes > MOST_INLINE_BYTES) {
      throw unsupported(
        param,
        `'${record.filename}' is too large to be shown to a model (${record.bytes} bytes).`,
      );
    }
    const { bytes } = await this.#parts.files.read(this.#parts.owner, record.id);
    return collect(bytes);
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Uint8Array>));
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function shownFile(name: string, bytes: Buffer, param: string): InputPart[] {
  if (isPdf(name) || bytes.subarray(0, 5).toString("latin1") === "%PDF-") {
    const data = `data:application/pdf;base64,${bytes.toString("base64")}`;
    return [{ type: "input_file", filename: name, file_data: data }];
  }
  const mime = IMAGES[extname(name).toLowerCase()];
  if (mime) return [{ type: "input_image", image_url: `data:${mime};base64,${bytes.toString("base64")}` }];
  const text = textOfBytes(bytes);
  if (text === undefined) {
    throw unsupported(
      param,
      `'${name}' is neither text, nor a picture, nor a PDF; add the tool 'code_interpreter' so that it can be read with code.`,
    );
  }
  const shown = cutText(text, MOST_TEXT_BYTES);
  return [
    { type: "input_text", text: `[The file ${JSON.stringify(name)} begins]\n${shown}\n[The file ends]` },
  ];
}

function textOfBytes(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A data: URL, or plain base64. */
function readDataUrl(text: string, param: string): { mime: string; bytes: Buffer } {
  const head = DATA_URL.exec(text.slice(0, 512));
  const base64 = head ? text.slice(head[0].length) : text;
  if (base64 === "" || (head && !head[3]) || !/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(base64)) {
    throw new WireError({
      status: 400,
      message: `Invalid value for '${param}': expected a data: URL with base64.`,
      code: "invalid_value",
      param,
    });
  }
  return { mime: head?.[1] ?? "application/octet-stream", bytes: Buffer.from(base64, "base64") };
}

function note(text: string): InputPart {
  return { type: "input_text", text: `[${text}]` };
}

function isPdf(name: string): boolean {
  return extname(name).toLowerCase() === ".pdf";
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}
