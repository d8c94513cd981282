import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RequirementsLock } from "./lock-file.ts";

/** A one-package lock: whether it installs quickly tells whether the index can be reached. */
export async function writeProbeLock(lock: RequirementsLock, folder: string): Promise<string> {
  const pure = lock.requirements.filter((one) => !one.marker).sort((a, b) => a.hashCount - b.hashCount)[0];
  const text = (pure ?? lock.requirements[0])?.text ?? "";
  const path = join(folder, "probe.lock");
  await writeFile(path, `${text.replace(/\s*\\\s*$/, "")}\n`);
  return path;
}
