import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { GloveboxError } from "../errors.ts";
import type { KernelMount } from "../sandbox/sandbox.ts";
import { nameInSession, WORK_FOLDER } from "./file-names.ts";

export interface HostMount {
  readonly hostPath: string;
  /** A name below /mnt/data. */
  readonly mountPath: string;
}

/** Resolves links on the host's side once, so that what is mounted is what was meant. */
export async function resolveMount({ hostPath, mountPath }: HostMount): Promise<KernelMount> {
  const target = `${WORK_FOLDER}/${nameInSession(mountPath)}`;
  try {
    const source = await realpath(hostPath);
    await access(source, constants.R_OK);
    return { source, target };
  } catch (cause) {
    throw new GloveboxError(
      "file-missing",
      `"${hostPath}" cannot be mounted: it is not there or not readable.`,
      { cause },
    );
  }
}
