import type { SessionFolder } from "../store/session-folder.ts";
import type { KernelLink } from "./kernel-link.ts";
import { download, upload } from "./transfer.ts";

export interface FileChanges {
  readonly changed: readonly (readonly [name: string, bytes: number])[];
  readonly removed: readonly string[];
}

const MOST_FILES = 20_000;

/** Keeps the host's copy of a session's files in step with what its cells do. */
export class Mirror {
  readonly #folder: SessionFolder;
  readonly #mostBytes: number;
  readonly #held = new Map<string, number>();
  #heldBytes = 0;

  constructor(folder: SessionFolder, mostBytes: number) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** Takes over what a cell changed; says what could not be kept. */
  async follow(link: KernelLink, changes: FileChanges): Promise<string | undefined> {
    for (const name of changes.removed) await this.forget(name);
    const left: string[] = [];
    for (const [name, bytes] of changes.changed) {
      this.#unhold(name);
      // Sparse files claim more than their folder holds, and the host would pay for it.
      const fits = this.#heldBytes + bytes <= this.#mostBytes && this.#held.size < MOST_FILES;
      if (fits && (await this.#copyOut(link, name, bytes))) this.#hold(name, bytes);
      else {
        left.push(name);
        // What was kept of it before is not it any more.
        await this.#folder.remove(name).catch(() => {});
      }
    }
    return left.length === 0 ? undefined : `Not kept on the host: ${some(left)}.`;
  }

  /** Puts a file into the session and keeps it; a file that does not arrive whole is not there. */
  async put(link: KernelLink, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const draft = await this.#folder.write(name);
    let size = 0;
    async function* tee(): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        await draft.write(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    try {
      await upload(link, name, tee());
    } catch (error) {
      await draft.discard();
      throw error;
    }
    await draft.keep();
    this.#hold(name, size);
  }

  async forget(name: string): Promise<void> {
    if (!this.#unhold(name)) {
      for (const held of this.#held.keys()) if (held.startsWith(`${name}/`)) this.#unhold(held);
    }
    // A name that the host could not keep cannot be removed from it either.
    await this.#folder.remove(name).catch(() => {});
  }

  /** Puts what the host kept into a fresh kernel; names what no longer fits there. */
  async restore(link: KernelLink): Promise<{ restored: number; left: string[] }> {
    const left: string[] = [];
    const names = await this.#folder.list();
    for (const name of names) {
      try {
        await using file = await this.#folder.read(name);
        this.#hold(name, (await file.stat()).size);
        await upload(link, name, file.createReadStream({ autoClose: false }));
      } catch (error) {
        if (link.lost) throw error;
        left.push(name);
      }
    }
    return { restored: names.length - left.length, left };
  }

  #hold(name: string, bytes: number): void {
    this.#unhold(name);
    this.#held.set(name, bytes);
    this.#heldBytes += bytes;
  }

  #unhold(name: string): boolean {
    this.#heldBytes -= this.#held.get(name) ?? 0;
    return this.#held.delete(name);
  }

  async #copyOut(link: KernelLink, name: string, bytes: number): Promise<boolean> {
    const draft = await this.#folder.write(name);
    try {
      let room = bytes;
      for await (const part of download(link, name)) {
        // A file that still grows is taken at the size it had when the cell ended.
        await draft.write(part.subarray(0, room));
        room -= part.length;
        if (room <= 0) break;
      }
      await draft.keep();
      return true;
    } catch (error) {
      await draft.discard().catch(() => {});
      if (link.lost) throw error;
      return false;
    }
  }
}

function some(names: string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
