import type { Duplex } from "node:stream";
import type { Limits } from "../protocol/messages.ts";

export interface HostMount {
  /** A file or folder of the host, absolute and resolved. */
  readonly source: string;
  /** Where the session sees it, read-only. */
  readonly target: string;
}

export interface KernelShape extends Limits {
  readonly mounts: readonly HostMount[];
}

/** The walls: a way to get a duplex stream of frames to a fresh kernel, and nothing more. */
export interface Sandbox {
  readonly name: string;
  /** The stream's first frame is the kernel's `ready` or `refused`. */
  open(shape: KernelShape, signal?: AbortSignal): Promise<Duplex>;
  /** Ends every kernel of this sandbox. */
  close(): Promise<void>;
}
