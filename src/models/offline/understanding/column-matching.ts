import type { Column } from "../table.ts";
import { AGGREGATE_WORDS, FILLERS, GRAMMAR } from "./cues.ts";
import { areSynonyms } from "./synonyms.ts";
import { likeness, nameStems, type Word } from "./words.ts";

export interface Mention {
  readonly column: Column;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** From 0 to 1: how surely the words mean this column. */
  readonly surety: number;
}

const SYNONYM = 0.6;
const LEAST_SHARE = 0.3;

interface Named {
  readonly column: Column;
  readonly stems: readonly string[];
}

/** The whole name of a column, word for word. */
export function findNames(
  words: readonly Word[],
  columns: readonly Column[],
  isFree: (index: number) => boolean,
): Mention[] {
  const candidates = columns.flatMap((column) =>
    wholeNames(words, { column, stems: nameStems(column.name) }),
  );
  return pick(candidates, isFree).filter(({ from, to }) => !isAggregate(words, from, to, columns));
}

/** A part of a name, a word with the same root, a synonym; only where one column is meant more than any other. */
export function findParts(
  words: readonly Word[],
  columns: readonly Column[],
  isFree: (index: number) => boolean,
): Mention[] {
  const named = columns.map((column) => ({ column, stems: nameStems(column.name) }));
  const candidates = words.flatMap((word, from) =>
    isFree(from) && !FILLERS.has(word.text) ? named.flatMap((one) => partFrom(words, from, one, isFree)) : [],
  );
  return pick(
    candidates.filter((candidate) => !isContested(candidate, candidates)),
    isFree,
  );
}

function wholeNames(words: readonly Word[], { column, stems }: Named): Mention[] {
  if (stems.length === 0) return [];
  const found: Mention[] = [];
  for (let from = 0; from + stems.length <= words.length; from++) {
    const alike = stems.map((stem, at) => likeness(stem, words[from + at]?.stem ?? ""));
    const worst = Math.min(...alike);
    const only = stems.length === 1 ? words[from] : undefined;
    if (
      worst < 0.85 ||
      (only && GRAMMAR.has(only.text) && !AGGREGATE_WORDS.has(only.text) && !isQuoted(only, column))
    )
      continue;
    if (only && worst < 1) continue;
    found.push({ column, from, to: from + stems.length, surety: worst });
  }
  return found;
}

/** A column that is called "in" or "it's" is meant only when it is written as it is in the file. */
function isQuoted(word: Word, column: Column): boolean {
  const raw = word.raw.replaceAll("’", "'");
  return raw === column.name.replaceAll("’", "'") && (raw.includes("'") || raw !== raw.toLowerCase());
}

/** "total" in "total units" says what to do with units, although there is a column of that name. */
function isAggregate(words: readonly Word[], from: number, to: number, columns: readonly Column[]): boolean {
  if (to - from > 1 || !AGGREGATE_WORDS.has(words[from]?.text ?? "")) return false;
  const next = words.slice(to).find(({ text }) => text !== "of" && text !== "the" && text !== "number");
  if (next === undefined || FILLERS.has(next.text)) return false;
  const stems = columns.flatMap(({ name }) => nameStems(name));
  return stems.some((stem) => likeness(stem, next.stem) >= 0.85 || areSynonyms(stem, next.stem));
}

function partFrom(
  words: readonly Word[],
  from: number,
  { column, stems }: Named,
  isFree: (index: number) => boolean,
): Mention[] {
  const left = new Set(stems.keys());
  let sum = 0;
  let to = from;
  let next = from;
  while (next < words.length && isFree(next)) {
    const word = words[next] as Word;
    const joins = next > from && (word.text === "of" || word.text === "the");
    const best = joins ? undefined : bestOf(word, stems, left);
    if (!joins && !best) break;
    if (best) {
      left.delete(best.index);
      sum += best.alike;
      to = next + 1;
    }
    next++;
  }
  const share = sum / stems.length;
  return to > from && share >= LEAST_SHARE
    ? [{ column, from, to, surety: share * 0.5 + (sum / (to - from)) * 0.4 }]
    : [];
}

function bestOf(
  word: Word,
  stems: readonly string[],
  left: ReadonlySet<number>,
): { index: number; alike: number } | undefined {
  let best: { index: number; alike: number } | undefined;
  for (const index of left) {
    const stem = stems[index] as string;
    const alike = Math.max(likeness(word.stem, stem), areSynonyms(word.stem, stem) ? SYNONYM : 0);
    if (alike > (best?.alike ?? 0)) best = { index, alike };
  }
  return best;
}

/** Whether another column is meant as surely by the same words. */
function isContested(one: Mention, all: readonly Mention[]): boolean {
  return all.some(
    (other) =>
      other.column !== one.column &&
      other.from <= one.from &&
      other.to >= one.to &&
      (other.to - other.from > one.to - one.from
        ? other.surety >= one.surety * 0.8
        : Math.abs(other.surety - one.surety) < 0.02),
  );
}

/** The surest first, none over another. */
function pick(candidates: readonly Mention[], isFree: (index: number) => boolean): Mention[] {
  const taken = new Set<number>();
  const picked: Mention[] = [];
  const weight = ({ from, to, surety }: Mention) => (to - from) * 0.5 + surety;
  for (const one of [...candidates].sort((a, b) => weight(b) - weight(a) || a.from - b.from)) {
    const places = Array.from({ length: one.to - one.from }, (_, at) => one.from + at);
    if (places.some((place) => taken.has(place) || !isFree(place))) continue;
    for (const place of places) taken.add(place);
    picked.push(one);
  }
  return picked.sort((a, b) => a.from - b.from);
}
