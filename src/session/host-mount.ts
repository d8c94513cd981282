import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { GloveboxError } from "../errors.ts";
import type { KernelMount } from "../sandbox/sandbox.ts";
import { nameInSession, WORK_FOLDER } from "./file-names.ts";
import { type SelectOptions, selectHostFiles } from "./host-files.ts";
import { type HostRoots, resolveHostPath } from "./host-roots.ts";

/**
 * A file or folder of the host that may be read. Globs are matched with the path below `hostPath`; a hidden file is
 * included only by a glob that spells its dot.
 */
export interface HostMount {
  readonly hostPath: string;
  /** A name below /mnt/data; for files selected one by one, "." is /mnt/data itself. */
  readonly mountPath: string;
  readonly includeGlobs?: readonly string[];
  readonly excludeGlobs?: readonly string[];
  /** For all selected files together. */
  readonly maxBytes?: number;
}

const MOST_MOUNTED = 200;
// The kernel reads a session's whole shape, mounts included, from one small frame.
const MOST_FRAME_BYTES = 48 << 10;

/** The mounts that a session opens with: a folder as it lives, or with globs or a byte limit its selected files one by one. */
export async function resolveMounts(
  mounts: readonly HostMount[],
  options: SelectOptions = {},
): Promise<KernelMount[]> {
  const resolved: KernelMount[] = [];
  for (const mount of mounts) resolved.push(...(await resolveOne(mount, options)));
  if (resolved.length > MOST_MOUNTED || Buffer.byteLength(JSON.stringify(resolved)) > MOST_FRAME_BYTES) {
    throw new GloveboxError(
      "usage",
      `The session's mounts are ${resolved.length} files and folders, more than can be mounted one by one (${MOST_MOUNTED}, ` +
        "fewer with long names); narrow the globs, or mount a folder that holds only these without globs and byte limit.",
    );
  }
  return resolved;
}

async function resolveOne(mount: HostMount, options: SelectOptions): Promise<KernelMount[]> {
  const whole = !mount.includeGlobs && !mount.excludeGlobs && mount.maxBytes === undefined;
  if (whole) return [await liveMount(mount, options.roots)];
  const files = await selectHostFiles(mount, options);
  for (const { hostPath } of files) await readable(hostPath);
  return files.map(({ hostPath, path }) => ({ source: hostPath, target: `${WORK_FOLDER}/${path}` }));
}

async function liveMount({ hostPath, mountPath }: HostMount, roots: HostRoots): Promise<KernelMount> {
  const target = `${WORK_FOLDER}/${nameInSession(mountPath)}`;
  const source = await resolveHostPath(hostPath, roots);
  await readable(source);
  return { source, target };
}

async function readable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((cause) => {
    throw new GloveboxError(
      "file-missing",
      `"${path}" cannot be mounted: it is not readable; check its permissions.`,
      { cause },
    );
  });
}
