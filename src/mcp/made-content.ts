import type { ContentBlock } from "@modelcontextprotocol/server";
import { z } from "zod";
import { WORK_FOLDER } from "../session/file-names.ts";
import type { Session } from "../session/session.ts";
import { mediaType } from "./media-types.ts";
import { readBounded } from "./read-bounded.ts";
import { fileUri } from "./resource-uri.ts";

/** What a call made, whichever tool it was of. */
const Made = z.object({
  images: z.array(z.object({ file: z.string(), mime: z.string() })).default([]),
  files: z.array(z.object({ path: z.string(), bytes: z.number() })).default([]),
});
export type Made = z.infer<typeof Made>;

const SHOWABLE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MOST_IMAGES = 8;
const MOST_IMAGE_BYTES = 2 << 20;
const MOST_LINKS = 32;

export function madeBy(value: unknown): Made {
  return Made.safeParse(value).data ?? { images: [], files: [] };
}

/** Figures as images, as far as they fit, and every file as a link that can be read. */
export async function madeContent(
  made: Made,
  of: { readonly session: Session; readonly name: string },
): Promise<ContentBlock[]> {
  const shown = await imagesOf(made, of.session);
  const links = made.files.slice(0, MOST_LINKS).map((file): ContentBlock => {
    const name = file.path.slice(WORK_FOLDER.length + 1);
    return {
      type: "resource_link",
      uri: fileUri(of.name, file.path),
      name,
      mimeType: mediaType(file.path),
      size: file.bytes,
    };
  });
  const unseen = [
    made.images.length > shown.length && `${made.images.length - shown.length} more images`,
    made.files.length > links.length && `${made.files.length - links.length} more files`,
  ].filter((part) => part !== false);
  const rest: ContentBlock[] =
    unseen.length > 0 ? [{ type: "text", text: `Not shown here: ${unseen.join(", ")}.` }] : [];
  return [...shown, ...links, ...rest];
}

async function imagesOf({ images }: Made, session: Session): Promise<ContentBlock[]> {
  const shown: ContentBlock[] = [];
  let room = MOST_IMAGE_BYTES;
  for (const { file, mime } of images) {
    if (shown.length >= MOST_IMAGES || !SHOWABLE.has(mime)) continue;
    // A later cell may have removed it by now.
    const bytes = await readBounded(session, file, room).catch(() => undefined);
    if (!bytes) continue;
    room -= bytes.length;
    shown.push({ type: "image", data: bytes.toString("base64"), mimeType: mime });
  }
  return shown;
}
