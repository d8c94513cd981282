import { GloveboxError } from "../errors.ts";
import type { FileEntry } from "../protocol/result.ts";
import type { Session } from "../session/session.ts";
import type { OutFolder } from "./out-folder.ts";
import type { Progress } from "./progress.ts";

export interface SavedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface Saving {
  readonly saved: SavedFile[];
  readonly problems: GloveboxError[];
}

/** Tells what the cells made or changed from what was there before them. */
export class MadeFiles {
  readonly #session: Session;
  readonly #before: Map<string, string>;

  private constructor(session: Session, before: Map<string, string>) {
    this.#session = session;
    this.#before = before;
  }

  static async watch(session: Session): Promise<MadeFiles> {
    return new MadeFiles(
      session,
      new Map((await session.files.list()).map((file) => [file.path, stamp(file)])),
    );
  }

  async saveTo(out: OutFolder, mostBytes: number, progress: Progress): Promise<Saving> {
    const saving: Saving = { saved: [], problems: [] };
    const made = (await this.#session.files.list()).filter(
      (file) => this.#before.get(file.path) !== stamp(file),
    );
    let room = mostBytes;
    for (const { path, bytes } of made) {
      const name = path.replace(/^\/mnt\/data\//, "");
      progress.wait(`Saving files to ${out.path}`, name);
      try {
        await out.save(path, this.#session.files.read(path), room);
        room -= bytes;
        saving.saved.push({ path: out.locate(name), bytes });
      } catch (error) {
        saving.problems.push(asProblem(error, out, name));
      }
    }
    return saving;
  }
}

function stamp(file: FileEntry): string {
  return `${file.bytes} ${file.modified_ms}`;
}

function asProblem(error: unknown, out: OutFolder, name: string): GloveboxError {
  if (error instanceof GloveboxError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new GloveboxError("file-name", `Not saved to ${out.path}: ${name} (${why}).`, { cause: error });
}
