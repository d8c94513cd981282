import { createHash } from "node:crypto";
import { z } from "zod";
import type { ReasoningItem } from "../protocol/items.ts";

const Note = z.object({
  /** Whose it is; no other provider gets to see it. */
  glovebox: z.string(),
  /** What it belongs to: reasoning itself, or the call or the text that follows. */
  of: z.enum(["reasoning", "call", "text", "blank"]).default("reasoning"),
  /** What the provider wants back with it, word for word. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** The field that the reasoning came in. */
  field: z.string().optional(),
});
export type SealedNote = z.infer<typeof Note>;

/** A reasoning item that remembers in `encrypted_content` what its provider needs back. */
export function sealedReasoning(note: SealedNote, text: string, id: string): ReasoningItem {
  return {
    type: "reasoning",
    id,
    summary: [],
    ...(text === "" ? {} : { content: [{ type: "reasoning_text", text }] }),
    encrypted_content: JSON.stringify(note),
  };
}

/** What we sealed, or undefined for an item that is none of ours. */
export function unseal(item: ReasoningItem): SealedNote | undefined {
  if (!item.encrypted_content?.startsWith('{"glovebox"')) return undefined;
  try {
    return Note.safeParse(JSON.parse(item.encrypted_content)).data;
  } catch {
    return undefined;
  }
}

export function reasoningText(item: ReasoningItem): string {
  const parts = item.content?.length ? item.content : item.summary;
  return parts.map((part) => part.text).join("\n");
}

/** An id that is the same for the same words. */
export function derivedId(prefix: string, ...of: readonly unknown[]): string {
  return `${prefix}_${createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 24)}`;
}
