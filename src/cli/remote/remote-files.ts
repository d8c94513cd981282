import { GloveboxError } from "../../errors.ts";
import type { CellResult } from "../../protocol/result.ts";
import { KeptSession } from "../kept-session.ts";
import { relinkMarkdown } from "../markdown/links.ts";
import { OutFolder } from "../out-folder.ts";
import { MOST_PICTURE_BYTES } from "../pictures/draw.ts";
import type { ContainerFile, ServerApi } from "./server-api.ts";

export interface RemoteFilesParts {
  readonly api: ServerApi;
  readonly container: string;
  /** Where on this machine copies go. */
  readonly kept: KeptSession;
}

export interface Downloading {
  readonly signal: AbortSignal;
  readonly onFile: (name: string) => void;
}

type MadeFiles = NonNullable<CellResult["files"]>;
type Images = NonNullable<CellResult["images"]>;

const PNG = /^data:image\/png;base64,/;
const MOST_CITED = 100;

/** The files of a container: which were made, and what of them is on this machine. */
export class RemoteFiles {
  readonly #parts: RemoteFilesParts;
  readonly #there = new Map<string, ContainerFile>();
  readonly #made = new Map<string, number>();
  readonly #pictures = new Map<string, Buffer>();

  private constructor(parts: RemoteFilesParts) {
    this.#parts = parts;
  }

  static async open(parts: RemoteFilesParts, signal: AbortSignal): Promise<RemoteFiles> {
    const files = new RemoteFiles(parts);
    await files.#look(signal);
    return files;
  }

  get made(): MadeFiles {
    return [...this.#made].map(([path, bytes]) => ({ path, bytes }));
  }

  /** What a cell says it made. */
  note(files: MadeFiles): void {
    for (const { path, bytes } of files) this.#made.set(path, bytes);
  }

  /** The bytes of figures, in the order in which their cell names them. */
  show(images: Images, pictures: readonly string[]): void {
    if (images.length !== pictures.length) return;
    for (const [at, { file }] of images.entries()) {
      const bytes = pictureIn(pictures[at] ?? "");
      if (bytes) this.#pictures.set(file, bytes);
    }
  }

  /** What is new or changed since it was asked last; figures go by the name of the file that holds them. */
  async since(
    cell: { readonly cell: number; readonly pictures: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ files: MadeFiles; images: Images }> {
    const files = await this.#look(signal).catch((error: unknown): MadeFiles => {
      if (error instanceof GloveboxError && error.code !== "aborted") return [];
      throw error;
    });
    const images: Images = [];
    for (const [at, url] of cell.pictures.entries()) {
      const bytes = pictureIn(url);
      if (!bytes) continue;
      const held = files.find(({ path, bytes: size }) => size === bytes.length && path.endsWith(".png"));
      const file = held?.path ?? `/mnt/data/figure-${cell.cell}-${at + 1}.png`;
      this.#pictures.set(file, bytes);
      if (!held) files.push({ path: file, bytes: bytes.length });
      images.push({ file, mime: "image/png" });
    }
    return { files, images };
  }

  picture(path: string): Buffer | undefined {
    return this.#pictures.get(path);
  }

  /** Whether it is, or can be, on this machine. */
  has(path: string): boolean {
    return this.#there.has(path) || this.#made.has(path);
  }

  /** Copies what was made, and what the answer points at, to this machine. */
  async bring(answer: string, { signal, onFile }: Downloading): Promise<GloveboxError[]> {
    const wanted = [...new Set([...this.#made.keys(), ...this.#citedIn(answer)])];
    if (wanted.length === 0) return [];
    const problems: GloveboxError[] = [];
    try {
      await this.#look(signal);
      const folder = await OutFolder.open(this.#parts.kept.files);
      for (const path of wanted) {
        onFile(KeptSession.nameOf(path) ?? "");
        await this.#save(path, folder, signal).catch((error: unknown) => problems.push(asProblem(error)));
      }
    } catch (error) {
      problems.push(asProblem(error));
    }
    return problems;
  }

  async #save(path: string, folder: OutFolder, signal: AbortSignal): Promise<void> {
    const { api, container } = this.#parts;
    const there = this.#there.get(path);
    const drawn = this.#pictures.get(path);
    if (there)
      await folder.save(path, await api.download(container, there.id, signal), Number.MAX_SAFE_INTEGER);
    else if (drawn) await folder.save(path, once(drawn), Number.MAX_SAFE_INTEGER);
  }

  #citedIn(answer: string): string[] {
    const cited = new Set<string>();
    relinkMarkdown(answer, (path) => {
      if (this.#there.has(path) && cited.size < MOST_CITED) cited.add(path);
      return undefined;
    });
    return [...cited];
  }

  async #look(signal: AbortSignal): Promise<MadeFiles> {
    const { api, container } = this.#parts;
    const now = await api.files(container, signal);
    const changed = now.filter(({ path, bytes }) => this.#there.get(path)?.bytes !== bytes);
    this.#there.clear();
    for (const file of now) this.#there.set(file.path, file);
    return changed.map(({ path, bytes }) => ({ path, bytes: bytes ?? 0 }));
  }
}

function pictureIn(url: string): Buffer | undefined {
  if (!PNG.test(url) || url.length > 2 * MOST_PICTURE_BYTES) return undefined;
  return Buffer.from(url.replace(PNG, ""), "base64");
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function asProblem(error: unknown): GloveboxError {
  if (error instanceof GloveboxError && error.code !== "aborted") return error;
  throw error;
}
