import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Duplex } from "node:stream";

/** A program's standard input and output as one stream, which ends with either of them. */
export class ContainerStream extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(child: ChildProcessWithoutNullStreams, onFirstBytes: () => void) {
    super();
    this.#child = child;
    child.stdout.once("data", () => onFirstBytes());
    child.stdout.on("data", (data: Buffer) => {
      if (!this.push(data)) child.stdout.pause();
    });
    child.stdout.on("close", () => this.#end());
    child.stdout.on("error", () => this.destroy());
    child.stdin.on("error", () => this.destroy());
    child.on("error", () => this.destroy());
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#child.stdin.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#child.stdin.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#child.stdin.destroy();
    this.#child.stdout.resume();
    done(error);
  }

  /** What has come is still read by whoever reads; then nothing more will. */
  #end(): void {
    if (this.destroyed) return;
    if (this.readableFlowing === null) {
      this.destroy();
      return;
    }
    this.once("end", () => this.destroy());
    this.push(null);
  }
}
