import { compact } from "../../history/compact.ts";
import { Conversation } from "../../history/conversation.ts";
import { estimateTokens } from "../../history/tokens.ts";
import { sinceCompaction } from "../../history/window.ts";
import type { Model } from "../../models/model.ts";
import type { Item } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import type { KeptItem } from "../../store/kept-item.ts";
import { newId } from "../ids.ts";
import { sealCompaction } from "./sealed-items.ts";

export interface Compacted {
  /** What the model is told instead. */
  readonly items: readonly Item[];
  /** Stands for all of it, for whoever replays the conversation. */
  readonly kept: KeptItem;
  readonly usage: Usage | undefined;
}

export interface CompactionOptions {
  readonly model: Model;
  readonly mostTokens: number;
  readonly keptTokens?: number;
  readonly signal: AbortSignal;
}

/** Summarises all but the newest turns, where the items take more room than they may. */
export async function compactItems(
  items: readonly Item[],
  options: CompactionOptions,
): Promise<Compacted | undefined> {
  if (estimateTokens(items) <= options.mostTokens) return undefined;
  return compactNow(items, options);
}

/** Summarises whatever can be. */
export async function compactNow(
  items: readonly Item[],
  options: CompactionOptions,
): Promise<Compacted | undefined> {
  const conversation = new Conversation({ items });
  const usage = await compact(conversation, options);
  const now = sinceCompaction(conversation.items);
  const [summary, ...kept] = now;
  if (conversation.items.length === items.length || summary?.type !== "compaction") return undefined;
  return { items: now, kept: compactionItem(summary.encrypted_content, kept), usage };
}

export function compactionItem(summary: string, kept: readonly Item[]): KeptItem {
  const id = newId("cmp_");
  return { id, item: { id, type: "compaction", encrypted_content: sealCompaction(summary, kept) } };
}
