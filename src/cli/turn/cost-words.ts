import type { Usage } from "../../protocol/usage.ts";
import { countOf, secondsInWords } from "../quantities.ts";
import { oneLine } from "../safe-text.ts";

export interface Cost {
  readonly model: string;
  readonly cells: readonly unknown[];
  readonly usage: Usage;
  readonly tookMs: number;
}

/** "offline · 2 cells · 1.4 s · 1,204 tokens in, 96 out" */
export function costInWords({ model, cells, usage, tookMs }: Cost): string {
  const parts = [oneLine(model), countOf(cells.length, "cell"), secondsInWords(tookMs)];
  if (usage.total_tokens > 0) parts.push(tokensInWords(usage));
  return parts.join(" · ");
}

export function tokensInWords(usage: Usage): string {
  const about = usage.estimated ? "about " : "";
  const grouped = (count: number) => count.toLocaleString("en-US");
  const cached = usage.input_tokens_details.cached_tokens;
  const ofThem = cached > 0 ? ` (${grouped(cached)} cached)` : "";
  return `${about}${grouped(usage.input_tokens)} tokens in${ofThem}, ${grouped(usage.output_tokens)} out`;
}
