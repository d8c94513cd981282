import { nameInSession } from "../session/file-names.ts";

export const FILE_TEMPLATE = "glovebox://sessions/{session}/files/{+path}";

const FILE_URI = /^glovebox:\/\/sessions\/(?<session>[^/?#]+)\/files\/(?<path>[^?#]+)$/;

export interface FileAddress {
  readonly session: string;
  /** Below /mnt/data. */
  readonly path: string;
}

export function fileUri(session: string, path: string): string {
  const parts = nameInSession(path).split("/");
  return `glovebox://sessions/${session}/files/${parts.map(encodeURIComponent).join("/")}`;
}

/** Undefined for what is no address of ours. */
export function readFileUri(uri: string): FileAddress | undefined {
  const found = FILE_URI.exec(uri)?.groups;
  if (!found?.session || !found.path) return undefined;
  try {
    return { session: found.session, path: nameInSession(decodeURIComponent(found.path)) };
  } catch {
    return undefined;
  }
}
