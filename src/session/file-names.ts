import { GloveboxError } from "../errors.ts";
import { isNameBelow } from "../support/name-below.ts";

export const WORK_FOLDER = "/mnt/data";

/** A file's name below the working folder, however it was written; anything that could lead elsewhere is refused. */
export function nameInSession(path: string): string {
  const name = path.replace(/^(?:\/mnt\/data|\/data)\//, "");
  if (!isNameBelow(name)) {
    throw new GloveboxError(
      "file-name",
      `"${path}" is not a name below ${WORK_FOLDER}; use one like "folder/name.csv".`,
    );
  }
  return name;
}
