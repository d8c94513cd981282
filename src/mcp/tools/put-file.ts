import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import { nameInSession, WORK_FOLDER } from "../../session/file-names.ts";
import { tool } from "../../tools/tool.ts";

/** The largest file that one call may bring. */
export const MOST_FILE_BYTES: number = 4 << 20;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const putFile = tool({
  name: "put_file",
  description:
    "Put a file into /mnt/data, from text or from base64, at most 4 MiB. A file of that name is replaced. For your own data; " +
    "what code can make, make with python_repl.",
  parameters: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(1024)
      .describe('Its name below /mnt/data, like "sales.csv" or "raw/sales.csv".'),
    text: z.string().max(MOST_FILE_BYTES).optional().describe("The content as text; it is written as UTF-8."),
    base64: z
      .string()
      .max(Math.ceil(MOST_FILE_BYTES / 3) * 4)
      .optional()
      .describe("The content as base64, for anything that is not text."),
  }),
  async run({ name, text, base64 }, { session }) {
    const bytes = contentOf(text, base64);
    const path = `${WORK_FOLDER}/${nameInSession(name)}`;
    await session.files.put(path, bytes);
    const file = { path, bytes: bytes.length };
    return { message: { kind: "object", json: file }, value: { files: [file] }, success: true };
  },
});

function contentOf(text: string | undefined, base64: string | undefined): Buffer {
  if ((text === undefined) === (base64 === undefined)) {
    throw new GloveboxError("usage", "Give the content either as text or as base64.");
  }
  const bytes = text === undefined ? fromBase64(base64 ?? "") : Buffer.from(text, "utf8");
  if (bytes.length <= MOST_FILE_BYTES) return bytes;
  throw new GloveboxError(
    "file-too-large",
    `The file has ${bytes.length} bytes; one call takes ${MOST_FILE_BYTES}. Bring it in parts and join them with python_repl.`,
  );
}

function fromBase64(written: string): Buffer {
  const plain = written.replace(/\s/g, "");
  if (BASE64.test(plain) && plain.length % 4 === 0) return Buffer.from(plain, "base64");
  throw new GloveboxError("usage", "base64 is not base64; use the standard alphabet with padding.");
}
