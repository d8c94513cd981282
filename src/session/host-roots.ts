import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { GloveboxError } from "../errors.ts";

/** What a host path must be below; without roots, whatever the program itself names is allowed. */
export type HostRoots = readonly string[] | undefined;

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The path with all links resolved, once, so that what is read is what was checked. */
export async function resolveHostPath(hostPath: string, roots: HostRoots): Promise<string> {
  if (URL_LIKE.test(hostPath)) {
    throw new GloveboxError(
      "file-name",
      `"${hostPath}" is a URL, and only files of this machine are read; download it and give its path.`,
    );
  }
  if (hostPath === "" || hostPath.includes("\0")) {
    throw new GloveboxError("file-name", "A host path is empty or holds a NUL; give the path of a file.");
  }
  const real = await realpath(hostPath).catch((cause) => {
    throw new GloveboxError(
      "file-missing",
      `"${hostPath}" cannot be read: it is not there or not readable; check the path.`,
      { cause },
    );
  });
  if (roots === undefined || (await isBelowAny(real, roots))) return real;
  throw new GloveboxError(
    "file-name",
    `"${hostPath}" is outside the folders that may be read (${roots.join(", ") || "none"}); move it there or allow its folder.`,
  );
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function isBelowAny(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const folder = await realpath(root).catch(() => undefined);
    if (folder !== undefined && isBelow(real, folder)) return true;
  }
  return false;
}
