import { GloveboxError } from "../../errors.ts";
import { nameInSession, WORK_FOLDER } from "../../session/file-names.ts";
import { type HostFile, openHostFile } from "../../session/host-files.ts";
import type { Session } from "../../session/session.ts";

export interface CopyOptions {
  /** Below /mnt/data; the file's own otherwise. */
  readonly name?: string;
  readonly signal?: AbortSignal;
}

/** A host file as it was when it was copied, and where it is in the session. */
export interface SessionCopy {
  readonly file: HostFile;
  /** From the root: "/mnt/data/…". */
  readonly path: string;
}

export interface CopyOutcome extends SessionCopy {
  readonly outcome: "new" | "changed" | "unchanged";
}

/** Which host files a session has, so that a file that has not changed is not copied again. */
export class SessionCopies {
  readonly #session: Session;
  readonly #copies = new Map<string, SessionCopy>();

  constructor(session: Session) {
    this.#session = session;
  }

  get all(): SessionCopy[] {
    return [...this.#copies.values()];
  }

  /** Whether the file is there as it is now. */
  holds(file: HostFile, name: string = file.path): boolean {
    const before = this.#copies.get(nameInSession(name))?.file;
    return before !== undefined && before.hostPath === file.hostPath && before.stamp === file.stamp;
  }

  async copy(file: HostFile, { name: given = file.path, signal }: CopyOptions = {}): Promise<CopyOutcome> {
    const name = nameInSession(given);
    const copy = { file, path: `${WORK_FOLDER}/${name}` };
    if (this.holds(file, name)) return { ...copy, outcome: "unchanged" };
    if (file.bytes > this.#session.limits.workBytes) throw this.#tooLarge(file);
    try {
      await this.#session.files.put(name, openHostFile(file, signal ? { signal } : {}));
    } catch (error) {
      if (error instanceof GloveboxError && error.code === "file-too-large")
        throw this.#tooLarge(file, error);
      throw error;
    }
    const outcome = this.#copies.has(name) ? "changed" : "new";
    this.#copies.set(name, copy);
    return { ...copy, outcome };
  }

  #tooLarge(file: HostFile, cause?: unknown): GloveboxError {
    const { workBytes } = this.#session.limits;
    return new GloveboxError(
      "file-too-large",
      `"${file.path}" (${file.bytes.toLocaleString("en-US")} bytes) does not fit into ${WORK_FOLDER}, which holds ` +
        `${workBytes.toLocaleString("en-US")}; give the session a larger workBytes (--disk), or mount the file instead of copying it.`,
      cause === undefined ? {} : { cause },
    );
  }
}
