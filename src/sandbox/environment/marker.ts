import { randomBytes } from "node:crypto";
import { chmod, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PythonEnvironment } from "./environment.ts";

const format = 1;
export const markerFile = "environment.json";

/** Its presence says that the environment is complete: it is written last, in one rename. */
export type EnvironmentMarker = {
  format: number;
  lockHash: string;
  baseExecutable: string;
  /** Each value of GLOVEBOX_PYTHON that led to this environment. */
  requestedAs: string[];
  environment: PythonEnvironment;
};

export async function readMarker(prefix: string): Promise<EnvironmentMarker | undefined> {
  try {
    const marker = JSON.parse(await readFile(join(prefix, markerFile), "utf8")) as EnvironmentMarker;
    // A home may be reached through a link.
    const names = [prefix, await realpath(prefix)];
    if (marker.format !== format || !names.includes(marker.environment.prefix)) return undefined;
    // The interpreter is a link to its base, so this also notices a base that was removed.
    await Promise.all([stat(marker.environment.python), stat(marker.environment.basePrefix)]);
    return marker;
  } catch {
    return undefined;
  }
}

export async function writeMarker(marker: Omit<EnvironmentMarker, "format">): Promise<void> {
  const path = join(marker.environment.prefix, markerFile);
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${JSON.stringify({ format, ...marker }, null, 2)}\n`, { flush: true });
  // The umask of whoever runs the setup must not hide it from other users.
  await chmod(draft, 0o644);
  await rename(draft, path);
}
