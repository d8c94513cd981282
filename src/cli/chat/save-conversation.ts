import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { GloveboxError } from "../../errors.ts";
import type { Item } from "../../protocol/items.ts";
import { KeptSession } from "../kept-session.ts";
import { relinkMarkdown } from "../markdown/links.ts";
import { OutFolder } from "../out-folder.ts";
import { countOf } from "../quantities.ts";
import { conversationMarkdown } from "./conversation-markdown.ts";

export interface SaveParts {
  readonly items: readonly Item[];
  readonly model: string;
  readonly kept: KeptSession;
  /** Undefined for a name of our own in the current folder. */
  readonly file: string | undefined;
  /** Written by this chat before, and so free to be written again. */
  readonly own: ReadonlySet<string>;
}

export interface SavedConversation {
  readonly file: string;
  readonly words: string;
}

/** Writes the conversation as Markdown, and copies the files that it shows into a folder beside it. */
export async function saveConversation(parts: SaveParts): Promise<SavedConversation> {
  const file = parts.file ?? `glovebox-${parts.kept.id}.md`;
  if (!parts.own.has(file) && (await stat(file).catch(() => undefined))) {
    throw new GloveboxError("usage", `${file} is there already; give /save another name.`);
  }
  const folder = `${extname(file) === "" ? file : file.slice(0, -extname(file).length)}_files`;
  const wanted = new Map<string, string>();
  const link = (sessionPath: string) => {
    const [name, at] = [KeptSession.nameOf(sessionPath), parts.kept.locate(sessionPath)];
    if (name === undefined || at === undefined) return undefined;
    wanted.set(sessionPath, at);
    return [basename(folder), ...name.split("/")].map(encodeURIComponent).join("/");
  };
  const text = conversationMarkdown({
    ...parts,
    session: parts.kept.id,
    link,
    relink: (markdown) =>
      relinkMarkdown(markdown, (path) => link(path) && decodeURIComponent(link(path) ?? "")),
  });
  await write(file, text);
  const out = wanted.size > 0 ? await OutFolder.open(folder) : undefined;
  for (const [path, at] of wanted) await out?.save(path, createReadStream(at), Number.MAX_SAFE_INTEGER);
  const beside = wanted.size > 0 ? `, ${countOf(wanted.size, "file")} in ${folder}` : "";
  return { file, words: `Saved to ${file}${beside}.` };
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new GloveboxError("usage", `Cannot write ${file}; name a file in a folder that you can write to.`, {
      cause,
    });
  }
}
