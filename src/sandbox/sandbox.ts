import type { Duplex } from "node:stream";
import type { Limits } from "../protocol/messages.ts";

/** A mount as the kernel makes it: a file or folder of the host, resolved, seen read-only at `target`. */
export interface KernelMount {
  readonly source: string;
  readonly target: string;
}

export interface KernelShape extends Limits {
  readonly mounts: readonly KernelMount[];
}

/** The walls: a way to get a duplex stream of frames to a fresh kernel, and nothing more. */
export interface Sandbox {
  readonly name: string;
  /** The stream's first frame is the kernel's `ready` or `refused`. */
  open(shape: KernelShape, signal?: AbortSignal): Promise<Duplex>;
  /** Ends every kernel of this sandbox. */
  close(): Promise<void>;
}
