import { GloveboxError } from "../../errors.ts";
import { type HostFile, type SelectOptions, selectHostFiles } from "../../session/host-files.ts";
import type { HostMount } from "../../session/host-mount.ts";

export interface HostViewParts {
  readonly mounts: readonly HostMount[];
  /** Folders that the mounts must be below. */
  readonly roots?: readonly string[];
}

const MOST_NAMED = 20;

/** What of the host may be seen: the files that the mounts select, as they are now. Nothing else has a name here. */
export class HostView {
  readonly #parts: HostViewParts;

  constructor(parts: HostViewParts) {
    this.#parts = parts;
  }

  async files(options: Omit<SelectOptions, "roots"> = {}): Promise<HostFile[]> {
    const found = new Map<string, HostFile>();
    for (const mount of this.#parts.mounts) {
      for (const file of await selectHostFiles(mount, { ...options, roots: this.#parts.roots })) {
        const other = found.get(file.path);
        if (other && other.hostPath !== file.hostPath) {
          throw new GloveboxError(
            "usage",
            `${other.hostPath} and ${file.hostPath} would both be /mnt/data/${file.path}; rename one of them.`,
          );
        }
        found.set(file.path, file);
      }
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The file of exactly this name: a model's words are compared with the names there are, never resolved. */
  async find(path: string, signal: AbortSignal): Promise<HostFile> {
    const files = await this.files({ signal });
    const wanted = path.replace(/^(?:\/mnt\/data\/|\.\/)/, "");
    const file = files.find((each) => each.path === wanted);
    if (file) return file;
    const names = files.slice(0, MOST_NAMED).map((each) => JSON.stringify(each.path));
    const more = files.length > names.length ? ` and ${files.length - names.length} more` : "";
    throw new GloveboxError(
      "file-missing",
      `There is no host file ${JSON.stringify(path.slice(0, 200))} here. There are: ${names.join(", ") || "none"}${more}.`,
    );
  }
}
