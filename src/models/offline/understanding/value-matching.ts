import type { Cell, Column } from "../table.ts";
import { FILLERS } from "./cues.ts";
import { oppositeOf } from "./synonyms.ts";
import { nameStems, stem, type Word, wordsOf } from "./words.ts";

export interface ValueMention {
  readonly column: Column;
  readonly value: Cell;
  readonly from: number;
  readonly to: number;
}

const MONTHS = /^(?:may|march|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/;

/** Values of the columns that the question speaks of: "in the North", "for Kettle". */
export function findValues(
  words: readonly Word[],
  columns: readonly Column[],
  isFree: (index: number) => boolean,
): ValueMention[] {
  const found = columns.flatMap((column) => [
    ...writtenValues(words, column),
    ...spokenBooleans(words, column),
  ]);
  const longest = found.sort((a, b) => b.to - b.from - (a.to - a.from));
  const taken = new Set<number>();
  const kept: ValueMention[] = [];
  for (const one of longest) {
    const places = Array.from({ length: one.to - one.from }, (_, at) => one.from + at);
    if (places.some((place) => taken.has(place) || !isFree(place))) continue;
    for (const place of places) taken.add(place);
    kept.push(one);
  }
  return kept.sort((a, b) => a.from - b.from);
}

function writtenValues(words: readonly Word[], column: Column): ValueMention[] {
  if (column.kind !== "category" && column.kind !== "text" && column.kind !== "id") return [];
  const found: ValueMention[] = [];
  for (const value of column.values) {
    if (typeof value !== "string") continue;
    const stems = wordsOf(value).map((word) => word.stem);
    if (stems.length === 0 || stems.length > 8) continue;
    for (let from = 0; from + stems.length <= words.length; from++) {
      const same = stems.every((one, at) => words[from + at]?.stem === one);
      if (same && isMeant(words, from, value, stems.length, column))
        found.push({ column, value, from, to: from + stems.length });
    }
  }
  return found;
}

/** A value of one letter or one that is an everyday word counts only as it is written, or beside its column. */
function isMeant(
  words: readonly Word[],
  from: number,
  value: string,
  length: number,
  column: Column,
): boolean {
  const word = words[from] as Word;
  if (length > 1) return true;
  const beside = [words[from - 1], words[from + 1]].some(
    (near) => near && nameStems(column.name).includes(near.stem),
  );
  if (beside) return true;
  const everyday = FILLERS.has(word.text) || MONTHS.test(word.text) || /^\d+$/.test(word.text);
  if (value.length === 1)
    return word.raw === value && value !== "a" && (value !== "A" || from > 0) && value !== "I";
  return everyday ? word.raw === value && value !== value.toLowerCase() && from > 0 : true;
}

/** "urban" and "rural" of a column urban_area of 0 and 1. */
function spokenBooleans(words: readonly Word[], column: Column): ValueMention[] {
  if (column.kind !== "boolean") return [];
  const [truth, lie] = truthOf(column);
  if (truth === undefined || lie === undefined) return [];
  const stems = nameStems(column.name).filter((one) => !FILLERS.has(one));
  return stems.flatMap((one) => {
    const other = oppositeOf(one);
    if (other === undefined) return [];
    const opposite = stem(other);
    return words.flatMap((word, from) => {
      if (word.stem === opposite || (word.text === "non" && words[from + 1]?.stem === one)) {
        const to =
          from + (word.text === "non" ? 2 : 1) + (stems.includes(words[from + 1]?.stem ?? "") ? 1 : 0);
        return [{ column, value: lie, from, to: Math.min(to, words.length) }];
      }
      const means = word.stem === one && saysWhich(words, from, opposite);
      const to = from + (stems.includes(words[from + 1]?.stem ?? "") ? 2 : 1);
      return means ? [{ column, value: truth, from, to }] : [];
    });
  });
}

/** The column's own word means its value when its opposite is there too, or after "in". */
function saysWhich(words: readonly Word[], at: number, opposite: string): boolean {
  if (words.some((word) => word.stem === opposite)) return true;
  const before = words[at - 1]?.text;
  const plural = words[at + 1]?.text.endsWith("s") ?? false;
  return (
    (before === "in" || before === "for" || before === "only" || before === "are") &&
    (plural || before === "only" || before === "are")
  );
}

export function truthOf(column: Column): readonly [Cell | undefined, Cell | undefined] {
  const yes = column.values.find((value) => /^(?:1|1\.0|yes|y|true|t|on)$/i.test(String(value)));
  const no = column.values.find((value) => /^(?:0|0\.0|no|n|false|f|off)$/i.test(String(value)));
  return [yes, no];
}
