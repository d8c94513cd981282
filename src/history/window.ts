import type { Item } from "../protocol/items.ts";
import { estimateTokens } from "./tokens.ts";

/** The log as turns: each begins with what the user said. */
export function turnsOf(items: readonly Item[]): Item[][] {
  const turns: Item[][] = [];
  let before: Item | undefined;
  for (const item of items) {
    const begins = isFromUser(item) && !(before && isFromUser(before));
    if (begins || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(item);
    before = item;
  }
  return turns;
}

export function isFromUser(item: Item): boolean {
  return item.type === "message" && item.role === "user";
}

/** What the log amounts to now: the last summary, and what it does not cover. */
export function sinceCompaction(items: readonly Item[]): Item[] {
  const summary = items.findLast((item) => item.type === "compaction");
  const rest = items.slice(summary?.covers ?? 0).filter((item) => item.type !== "compaction");
  return summary ? [summary, ...rest] : rest;
}

/** The newest whole turns that fit; a summary stays, and so does the newest turn. */
export function newestTurns(items: readonly Item[], mostTokens: number): Item[] {
  const [summary, rest] = items[0]?.type === "compaction" ? [[items[0]], items.slice(1)] : [[], items];
  const turns = turnsOf(rest);
  let room = mostTokens - estimateTokens(summary);
  let first = turns.length;
  while (first > 0) {
    room -= estimateTokens(turns[first - 1] ?? []);
    if (room < 0 && first < turns.length) break;
    first -= 1;
  }
  return [...summary, ...turns.slice(first).flat()];
}
