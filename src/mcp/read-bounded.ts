import { GloveboxError } from "../errors.ts";
import type { Session } from "../session/session.ts";

/** A file as a whole, unless it is larger than that; nothing beyond is read. */
export async function readBounded(session: Session, path: string, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of session.files.read(path)) {
    bytes += part.length;
    if (bytes > mostBytes) {
      throw new GloveboxError(
        "file-too-large",
        `${path} has more than ${mostBytes} bytes; read a part of it with python_repl, or copy it out another way.`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}
