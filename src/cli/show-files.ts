import type { CellResult } from "../protocol/result.ts";
import type { Session } from "../session/session.ts";
import type { SavedFile } from "./made-files.ts";
import { MOST_PICTURE_BYTES } from "./pictures/draw.ts";
import { openPictures } from "./pictures/pictures.ts";
import { bytesInWords, countOf } from "./quantities.ts";
import { oneLine } from "./safe-text.ts";
import type { Output, Terminal } from "./terminal.ts";

const MOST_LINES = 10;

export function showMadeFiles(result: CellResult, output: Output): void {
  showPaths(result.files ?? [], output);
}

export function showSavedFiles(saved: readonly SavedFile[], output: Output): void {
  showPaths(saved, output);
}

/** Pictures in the text, where the terminal can. */
export async function showDrawnPictures(
  session: Session,
  result: CellResult,
  terminal: Terminal,
): Promise<void> {
  const { stdout } = terminal;
  if (!result.images?.length || !stdout.isTerminal) return;
  const pictures = await openPictures("auto", terminal);
  for (const { file } of pictures ? result.images : []) {
    const picture = await readPicture(session, file);
    const drawn = picture && pictures?.draw(picture, stdout.columns);
    if (!drawn) continue;
    stdout.startLine();
    stdout.write(drawn);
  }
}

async function readPicture(session: Session, path: string): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let room = MOST_PICTURE_BYTES;
  try {
    for await (const part of session.files.read(path)) {
      room -= part.length;
      if (room < 0) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined; // The cell has removed it again.
  }
  return Buffer.concat(parts);
}

function showPaths(files: readonly { path: string; bytes: number }[], output: Output): void {
  for (const { path, bytes } of files.slice(0, MOST_LINES)) {
    output.line(`→ ${oneLine(path)} ${output.paint("dim", bytesInWords(bytes))}`);
  }
  const rest = files.length - MOST_LINES;
  if (rest > 0) output.line(output.paint("dim", `→ and ${countOf(rest, "more file")}`));
}
