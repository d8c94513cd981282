import type { Store } from "../store/store.ts";
import { tooLarge } from "./request-body.ts";
import { overLimit } from "./wire-error.ts";

const RETRY_SECONDS = 60;

/** Room for one file that is on its way; it counts until it is disposed of. */
export interface Room extends Disposable {
  /** The bytes as they come; over what is allowed they end with a WireError. */
  counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/** What the files of every owner take on the disk, those on their way included. */
export class OwnerStorage {
  readonly #store: Pick<Store, "files" | "containers">;
  readonly #mostBytes: number;
  readonly #arriving = new Map<string, number>();

  constructor(store: Pick<Store, "files" | "containers">, mostBytes: number) {
    this.#store = store;
    this.#mostBytes = mostBytes;
  }

  /** Throws a WireError 429 where nothing is left. */
  async take(owner: string, file: { readonly mostBytes: number }): Promise<Room> {
    const stored = await this.#stored(owner);
    const left = () => this.#mostBytes - stored - (this.#arriving.get(owner) ?? 0);
    if (left() <= 0) throw this.#full();
    let size = 0;
    const take = (bytes: number) => {
      if (size + bytes > file.mostBytes) throw tooLarge(file.mostBytes);
      if (bytes > left()) throw this.#full();
      size += bytes;
      this.#arriving.set(owner, (this.#arriving.get(owner) ?? 0) + bytes);
    };
    return {
      async *counted(bytes) {
        for await (const part of bytes) {
          take(part.length);
          yield part;
        }
      },
      [Symbol.dispose]: () => {
        const others = (this.#arriving.get(owner) ?? 0) - size;
        size = 0;
        if (others > 0) this.#arriving.set(owner, others);
        else this.#arriving.delete(owner);
      },
    };
  }

  /** For a copy whose size is known before it is made; what is on its way is counted besides. */
  async check(owner: string, bytes: number): Promise<void> {
    const arriving = this.#arriving.get(owner) ?? 0;
    if ((await this.#stored(owner)) + arriving + bytes > this.#mostBytes) throw this.#full();
  }

  async #stored(owner: string): Promise<number> {
    const { files, containers } = this.#store;
    return (await files.storedBytes(owner)) + (await containers.files.storedBytes(owner));
  }

  #full() {
    return overLimit(
      `Your files take all of the ${this.#mostBytes} bytes that you may store; delete some of them, or containers with theirs.`,
      RETRY_SECONDS,
    );
  }
}
