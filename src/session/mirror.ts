import type { SessionFolder } from "../store/session-folder.ts";
import type { KernelLink } from "./kernel-link.ts";
import { download, upload } from "./session-files.ts";

export interface FileChanges {
  readonly changed: readonly (readonly [name: string, bytes: number])[];
  readonly removed: readonly string[];
}

/** Brings what a cell changed to the host. Sparse files can claim more than their folder holds: what is over stays behind. */
export async function mirrorChanges(
  link: KernelLink,
  folder: SessionFolder,
  changes: FileChanges,
  mostBytes: number,
): Promise<string | undefined> {
  for (const name of changes.removed) await folder.remove(name);
  let room = mostBytes;
  const left: string[] = [];
  for (const [name, bytes] of changes.changed) {
    room -= bytes;
    if (room < 0 || !(await copyOut(link, folder, name, bytes))) left.push(name);
  }
  return left.length === 0 ? undefined : `Not kept on the host: ${some(left)}.`;
}

/** Puts what the host kept into a fresh kernel. */
export async function restoreFiles(link: KernelLink, folder: SessionFolder): Promise<number> {
  const names = await folder.list();
  for (const name of names) {
    const file = await folder.read(name);
    await upload(link, name, file.createReadStream());
  }
  return names.length;
}

async function copyOut(
  link: KernelLink,
  folder: SessionFolder,
  name: string,
  bytes: number,
): Promise<boolean> {
  const draft = await folder.write(name);
  try {
    let room = bytes;
    for await (const part of download(link, name)) {
      room -= part.length;
      // A file that still grows is taken at the size it had when the cell ended.
      await draft.write(room < 0 ? part.subarray(0, room) : part);
      if (room <= 0) break;
    }
    await draft.keep();
    return true;
  } catch (error) {
    await draft.discard().catch(() => {});
    if (link.lost) throw error;
    return false;
  }
}

function some(names: string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
