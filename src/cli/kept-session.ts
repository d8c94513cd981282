import { randomBytes } from "node:crypto";
import { closeSync, constants, lstatSync, mkdirSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isNameBelow } from "../support/name-below.ts";
import { MOST_PICTURE_BYTES } from "./pictures/draw.ts";

const WORKING_FOLDER = /^\/(?:mnt\/)?data\//;

/** What the host keeps of a session: its files, and output that was too long to show. */
export class KeptSession {
  readonly id: string;
  readonly files: string;
  readonly #outputs: string;

  constructor(home: string, id: string) {
    this.id = id;
    this.files = join(home, "sessions", id, "files");
    this.#outputs = join(home, "sessions", id, "outputs");
  }

  /** A name that sorts by time and that nobody else has. */
  static newId(now: Date = new Date()): string {
    const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-${randomBytes(3).toString("hex")}`;
  }

  /** The name of a file of the session below its folder; undefined for a path that leads elsewhere. */
  static nameOf(sessionPath: string): string | undefined {
    const name = sessionPath.replace(WORKING_FOLDER, "");
    return isNameBelow(name) ? name : undefined;
  }

  /** Where a file of the session is kept, once it is. */
  locate(sessionPath: string): string | undefined {
    const name = KeptSession.nameOf(sessionPath);
    const path = name === undefined ? undefined : join(this.files, name);
    return path && lstatSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
  }

  /** A small file as a whole. */
  read(sessionPath: string): Buffer | undefined {
    const path = this.locate(sessionPath);
    if (path === undefined) return undefined;
    try {
      const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const bytes = Buffer.alloc(MOST_PICTURE_BYTES + 1);
        const length = readSync(file, bytes, 0, bytes.length, 0);
        return length > MOST_PICTURE_BYTES ? undefined : bytes.subarray(0, length);
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /** Output that does not fit on a screen; nothing depends on its being kept. */
  keepOutput(text: string, of: { readonly turn: string; readonly cell: number }): string | undefined {
    const path = join(this.#outputs, `${of.turn.replace(/[^A-Za-z0-9_-]/g, "")}-${of.cell}.txt`);
    try {
      mkdirSync(this.#outputs, { recursive: true, mode: 0o700 });
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    } catch {
      return undefined;
    }
  }
}
