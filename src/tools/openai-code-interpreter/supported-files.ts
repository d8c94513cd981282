import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { GloveboxError } from "../../errors.ts";

/** What OpenAI's code interpreter takes. */
export const supportedExtensions: ReadonlySet<string> = new Set(
  (
    ".c .cpp .cs .css .go .html .ipynb .java .js .php .py .rb .sh .tex .ts " +
    ".doc .docx .md .pdf .pptx .txt " +
    ".gif .jpeg .jpg .png .svg .webp " +
    ".tar .zip " +
    ".csv .json .parquet .pkl .tsv .xlsx .xml"
  ).split(" "),
);

export const MAX_UPLOAD_BYTES: number = 512 * 1024 * 1024;

/** The name that a file is sent by; one that OpenAI would refuse is refused before anything is sent. */
export function uploadName({ path, bytes }: { readonly path: string; readonly bytes: number }): string {
  const extension = extname(path);
  // OpenAI knows extensions in small letters only.
  const known = extension.toLowerCase();
  if (!supportedExtensions.has(known)) {
    throw new GloveboxError(
      "file-kind",
      `"${path}" cannot be uploaded: OpenAI's code interpreter takes ${[...supportedExtensions].join(" ")}. Convert it, put it into a .zip, or leave it out.`,
    );
  }
  if (bytes > MAX_UPLOAD_BYTES) {
    throw new GloveboxError(
      "file-too-large",
      `"${path}" has ${bytes} bytes; OpenAI takes at most ${MAX_UPLOAD_BYTES} a file. Upload a part of it.`,
    );
  }
  return `${basename(path, extension)}${known}`;
}

/** The size of an ordinary file of the host. */
export async function fileBytes(path: string): Promise<number> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new GloveboxError(
      "file-missing",
      `"${path}" cannot be uploaded: it is not there or not readable; check the path.`,
      { cause },
    );
  });
  if (found.isFile()) return found.size;
  throw new GloveboxError("file-kind", `"${path}" is not a file; upload the files in it one by one.`);
}
