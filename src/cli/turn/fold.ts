import { countOf } from "../quantities.ts";

export interface Fold {
  readonly head: number;
  readonly tail: number;
}

/** The head and the tail of many lines, with words about what is missing between them. */
export function fold(
  lines: readonly string[],
  { head, tail }: Fold,
  words: (missing: string) => string,
): string[] {
  const missing = lines.length - head - tail;
  // To leave out one line and say so saves nothing.
  if (missing <= 1) return [...lines];
  return [...lines.slice(0, head), words(countOf(missing, "more line")), ...lines.slice(lines.length - tail)];
}
