import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

export interface AuditFileOptions {
  readonly path: string;
  /** A file that has grown to this is set aside. */
  readonly mostBytes: number;
  /** How many that were set aside are kept. */
  readonly older: number;
}

const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const LINE_FEED = 10;
const LOOKS = 6;
const LOOK_AGAIN_MS = 2;

/**
 * Lines on the disk, for their owner only. Several processes may write to it; a line is there, whole, when `append`
 * returns.
 */
export class AuditFile {
  readonly #options: AuditFileOptions;

  constructor(options: AuditFileOptions) {
    this.#options = options;
  }

  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    let file = this.#open();
    try {
      const { size, ino } = fstatSync(file);
      if (size > 0 && size + bytes.length > this.#options.mostBytes) {
        this.#setAside(ino);
        closeSync(file);
        file = this.#open();
      }
      // What was cut off in the middle, by a kill or a full disk, does not take this line with it.
      writeAll(file, endsInLine(file) ? bytes : Buffer.concat([Buffer.of(LINE_FEED), bytes]));
    } finally {
      closeSync(file);
    }
  }

  #open(): number {
    const { path } = this.#options;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, FLAGS, 0o600);
    const found = fstatSync(file);
    if (!found.isFile()) {
      closeSync(file);
      throw new Error(`${path} is not a file`);
    }
    if (found.mode & 0o077) fchmodSync(file, 0o600);
    return file;
  }

  #setAside(ino: number): void {
    const { path, older } = this.#options;
    // Another process may have done it just now.
    if (statSync(path).ino !== ino) return;
    for (let number = older; number >= 1; number--) {
      try {
        renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  }
}

/** Looks again for a moment: another process may be writing its line right now. */
function endsInLine(file: number): boolean {
  const last = Buffer.alloc(1);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) Atomics.wait(nobody, 0, 0, LOOK_AGAIN_MS);
    const { size } = fstatSync(file);
    if (size === 0) return true;
    readSync(file, last, 0, 1, size - 1);
    if (last[0] === LINE_FEED) return true;
  }
  return false;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
