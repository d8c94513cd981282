import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { GloveboxError } from "../errors.ts";
import type { HostFile } from "../session/host-files.ts";
import type { HostMount } from "../session/host-mount.ts";
import { resolveHostPath } from "../session/host-roots.ts";
import { HostView } from "../tools/host-files/host-view.ts";

export interface NamedFilesParts {
  /** Host paths as the user wrote them. */
  readonly paths: readonly string[];
  readonly roots?: readonly string[];
}

export interface SelectedFiles {
  /** Named exactly. */
  readonly files: readonly HostFile[];
  /** The tables and texts of folders. */
  readonly inFolders: readonly HostFile[];
  readonly folders: readonly HostMount[];
  /** In words: what was there before and is not any more, and what is in a folder and is not read. */
  readonly notices: readonly string[];
}

const TABLES = [
  "csv",
  "tsv",
  "tab",
  "parquet",
  "feather",
  "arrow",
  "xlsx",
  "xls",
  "ods",
  "json",
  "jsonl",
  "ndjson",
];
const TEXTS = ["txt", "md", "log", "xml", "yaml", "yml"];
const PACKED = ["gz", "bz2", "xz", "zst"];
const LEFT_OUT = ["**/node_modules/**", "**/__pycache__/**", "**/venv/**"];
const MOST_SKIPPED_NAMED = 5;

/** What the user's paths amount to now: a file is itself, a folder its tables and text files. */
export class NamedFiles {
  readonly #parts: NamedFilesParts;
  readonly #seen = new Map<string, HostMount>();

  constructor(parts: NamedFilesParts) {
    this.#parts = parts;
  }

  get any(): boolean {
    return this.#parts.paths.length > 0;
  }

  async select(signal?: AbortSignal): Promise<SelectedFiles> {
    const exact: HostMount[] = [];
    const folders: HostMount[] = [];
    const notices: string[] = [];
    for (const path of this.#parts.paths) {
      const mount = await this.#mount(path, notices);
      if (mount) (mount.includeGlobs ? folders : exact).push(mount);
    }
    const skipped: string[] = [];
    const options = {
      ...(signal ? { signal } : {}),
      onSkipped: (path: string, reason: string) => skipped.push(`${path} (${reason})`),
    };
    // Together, so that two files that would have one name in the session are noticed.
    const all = await this.#view([...exact, ...folders]).files(options);
    const named = new Set((await this.#view(exact).files(options)).map((file) => file.path));
    if (skipped.length > 0) notices.push(`Not read: ${some(skipped)}.`);
    return {
      files: all.filter((file) => named.has(file.path)),
      inFolders: all.filter((file) => !named.has(file.path)),
      folders,
      notices,
    };
  }

  #view(mounts: readonly HostMount[]): HostView {
    return new HostView({ mounts, ...(this.#parts.roots ? { roots: this.#parts.roots } : {}) });
  }

  /** A path that was read before and is gone leaves its copy; one that never was there is an error. */
  async #mount(path: string, notices: string[]): Promise<HostMount | undefined> {
    try {
      const mount = await mountOf(path, this.#parts.roots);
      this.#seen.set(path, mount);
      return mount;
    } catch (error) {
      const gone = error instanceof GloveboxError && error.code === "file-missing" && this.#seen.has(path);
      if (!gone) throw error;
      notices.push(`${path} is not on the host any more; the copy in the session is used.`);
      return undefined;
    }
  }
}

async function mountOf(path: string, roots: readonly string[] | undefined): Promise<HostMount> {
  const real = await resolveHostPath(path, roots);
  const found = await lstat(real);
  if (!found.isDirectory()) return { hostPath: path, mountPath: nameOf(path, real) };
  return { hostPath: path, mountPath: ".", includeGlobs: folderGlobs(), excludeGlobs: LEFT_OUT };
}

/** A link goes by its own name, as the user wrote it. */
function nameOf(path: string, real: string): string {
  const name = basename(path);
  return name === "" || name === "." || name === ".." ? basename(real) : name;
}

function folderGlobs(): string[] {
  const plain = `**/*.{${[...TABLES, ...TEXTS].map(anyCase).join(",")}}`;
  return [plain, `${plain}.{${PACKED.map(anyCase).join(",")}}`];
}

function anyCase(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, MOST_SKIPPED_NAMED).join(", ");
  const more = names.length - MOST_SKIPPED_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
