import type { Column } from "../table.ts";
import type { Mention } from "./column-matching.ts";
import type { Filter, Operator } from "./frame.ts";
import type { Word } from "./words.ts";

export interface Condition {
  readonly filter: Filter;
  readonly from: number;
  readonly to: number;
}

const OPERATORS: readonly (readonly [string, Operator])[] = [
  ["greater than or equal to", ">="],
  ["less than or equal to", "<="],
  ["at least", ">="],
  ["no less than", ">="],
  ["at most", "<="],
  ["no more than", "<="],
  ["up to", "<="],
  ["greater than", ">"],
  ["more than", ">"],
  ["higher than", ">"],
  ["larger than", ">"],
  ["bigger than", ">"],
  ["less than", "<"],
  ["lower than", "<"],
  ["fewer than", "<"],
  ["smaller than", "<"],
  ["equal to", "=="],
  ["equals", "=="],
  ["exactly", "=="],
  ["above", ">"],
  ["over", ">"],
  ["exceeding", ">"],
  ["exceeds", ">"],
  ["below", "<"],
  ["under", "<"],
  [">=", ">="],
  ["<=", "<="],
  [">", ">"],
  ["<", "<"],
  ["=", "=="],
];

const REACH = 5;

/** "above 100", "between 2 and 5": not yet about a column. */
export interface Comparison {
  readonly from: number;
  readonly to: number;
  readonly test:
    | { readonly operator: Operator; readonly value: number }
    | { readonly low: number; readonly high: number };
}

export function findComparisons(words: readonly Word[], isFree: (index: number) => boolean): Comparison[] {
  const texts = words.map((word, index) => (isFree(index) ? word.text : ""));
  const found: Comparison[] = [];
  for (let at = 0; at < texts.length; at++) {
    const comparison = betweenAt(texts, at) ?? operatorAt(texts, at);
    if (!comparison) continue;
    found.push(comparison);
    at = comparison.to - 1;
  }
  return found;
}

/** About the column of numbers named last before it, or else right after it; undefined when there is none. */
export function conditionOf(comparison: Comparison, mentions: readonly Mention[]): Condition | undefined {
  const { from, to, test } = comparison;
  const column = columnNear(mentions, from, to);
  if (!column) return undefined;
  const filter: Filter =
    "operator" in test ? { kind: "compare", column, ...test } : { kind: "between", column, ...test };
  return { filter, from, to };
}

function operatorAt(texts: readonly string[], at: number): Comparison | undefined {
  for (const [phrase, operator] of OPERATORS) {
    const parts = phrase.split(" ");
    const value = numberOf(texts[at + parts.length]);
    if (value !== undefined && parts.every((part, offset) => texts[at + offset] === part))
      return { from: at, to: at + parts.length + 1, test: { operator, value } };
  }
  return undefined;
}

function betweenAt(texts: readonly string[], at: number): Comparison | undefined {
  const [low, high] = [numberOf(texts[at + 1]), numberOf(texts[at + 3])];
  if (texts[at] !== "between" || low === undefined || high === undefined) return undefined;
  if (!/^(?:and|to)$/.test(texts[at + 2] ?? "")) return undefined;
  return { from: at, to: at + 4, test: { low: Math.min(low, high), high: Math.max(low, high) } };
}

function columnNear(mentions: readonly Mention[], from: number, to: number): Column | undefined {
  const numbers = mentions.filter(({ column }) => column.kind === "number" || column.kind === "year");
  const before = numbers.filter((mention) => mention.to <= from && from - mention.to <= REACH).at(-1);
  return (before ?? numbers.find((mention) => mention.from >= to && mention.from - to <= 1))?.column;
}

export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d[\d,]*(?:\.\d+)?%?$/.test(text)) return undefined;
  return Number(text.replace(/[,%]/g, ""));
}
