import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { GloveboxError } from "../errors.ts";

const Last = z.object({
  session: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
  conversation: z.string().min(1),
});
export type LastConversation = z.infer<typeof Last>;

const fileIn = (home: string) => join(home, "last-conversation.json");

/** What --continue goes on with. */
export async function lastConversation(home: string): Promise<LastConversation> {
  try {
    return Last.parse(JSON.parse(await readFile(fileIn(home), "utf8")));
  } catch (cause) {
    throw new GloveboxError(
      "usage",
      "There is no conversation to continue; begin one with glovebox ask or glovebox chat.",
      { cause },
    );
  }
}

export async function rememberConversation(home: string, last: LastConversation): Promise<void> {
  await mkdir(home, { recursive: true });
  const draft = `${fileIn(home)}.${process.pid}`;
  await writeFile(draft, JSON.stringify(last), { mode: 0o600 });
  await rename(draft, fileIn(home));
}
