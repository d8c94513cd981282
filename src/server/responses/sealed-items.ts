import { z } from "zod";
import { Item, ReasoningItem } from "../../protocol/items.ts";

/** What `encrypted_content` of our own items begins with; its form is ours to change. */
const MARK = "gbx1.";

const Sealed = z.union([
  z.object({ reasoning: ReasoningItem }),
  z.object({ summary: z.string(), kept: z.array(Item) }),
]);
type Sealed = z.infer<typeof Sealed>;

/** A reasoning item as the model's provider gave it, for clients that keep their own history. */
export function sealReasoning(reasoning: ReasoningItem): string {
  return seal({ reasoning });
}

/** What a compaction stands for: the summary, and what is still told word for word. */
export function sealCompaction(summary: string, kept: readonly Item[]): string {
  return seal({ summary, kept: [...kept] });
}

export function openReasoning(content: unknown): ReasoningItem | undefined {
  const opened = open(content);
  return opened && "reasoning" in opened ? opened.reasoning : undefined;
}

export function openCompaction(content: unknown): { summary: string; kept: Item[] } | undefined {
  const opened = open(content);
  return opened && "summary" in opened ? opened : undefined;
}

function seal(content: Sealed): string {
  return MARK + Buffer.from(JSON.stringify(content)).toString("base64url");
}

function open(content: unknown): Sealed | undefined {
  if (typeof content !== "string" || !content.startsWith(MARK)) return undefined;
  try {
    return Sealed.safeParse(JSON.parse(Buffer.from(content.slice(MARK.length), "base64url").toString())).data;
  } catch {
    return undefined;
  }
}
