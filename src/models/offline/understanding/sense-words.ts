// whole column names → values → periods, grain and comparisons → cue phrases → parts of names → what is left
import { type Column, dates, type Table } from "../table.ts";
import { findNames, findParts, type Mention } from "./column-matching.ts";
import { type Condition, conditionOf, findComparisons, numberOf } from "./conditions.ts";
import { type Cue, FILLERS, findCues } from "./cues.ts";
import type { Doubt, Grain, UnknownWord } from "./frame.ts";
import { findOperatives } from "./operatives.ts";
import { type FoundPeriod, findGrain, findPeriods } from "./periods.ts";
import { areSynonyms, isConcept, measuredBy } from "./synonyms.ts";
import { findValues, type ValueMention } from "./value-matching.ts";
import { nameStems, stem, type Word, wordsOf } from "./words.ts";

/** What the words of a question mean, each of them once. */
export interface Senses {
  readonly words: readonly Word[];
  readonly mentions: readonly Mention[];
  readonly values: readonly ValueMention[];
  readonly periods: readonly FoundPeriod[];
  readonly conditions: readonly Condition[];
  readonly grain: Grain | undefined;
  readonly cues: ReadonlySet<Cue>;
  readonly top: number | undefined;
  readonly time: Column | undefined;
  readonly unknown: readonly UnknownWord[];
  readonly doubts: readonly Doubt[];
}

/** Takes words out of play. */
class Ledger {
  readonly #taken = new Set<number>();
  readonly isFree = (index: number): boolean => !this.#taken.has(index);

  take(spans: readonly { from: number; to: number }[]): void {
    for (const { from, to } of spans) for (let at = from; at < to; at++) this.#taken.add(at);
  }
}

export function senseWords(question: string, table: Table): Senses {
  const words = withoutTableName(wordsOf(question), nameStems(table.handle));
  const ledger = new Ledger();
  const time = dates(table)[0];

  const names = findNames(words, table.columns, ledger.isFree);
  ledger.take(names);
  const values = findValues(
    words,
    table.columns,
    (index) => ledger.isFree(index) || isPartOfBoolean(names, index),
  );
  ledger.take(values);
  const kept = names.filter((name) => !values.some((value) => value.from < name.to && name.from < value.to));
  const { periods, doubts } = findPeriods(words, time, ledger.isFree);
  ledger.take(periods);
  const operatives = findOperatives(words, ledger.isFree);
  const grain = time ? findGrain(words, ledger.isFree) : undefined;
  if (grain) ledger.take([grain]);
  const comparisons = findComparisons(words, ledger.isFree);
  ledger.take(comparisons);
  const phrases = findCues(
    words.map(({ text }) => text),
    ledger.isFree,
  );
  const cues = new Set<Cue>(phrases.map(({ cue }) => cue));
  const cued = new Set(
    phrases.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  );
  const parts = findParts(words, table.columns, (index) => ledger.isFree(index) && !cued.has(index));
  ledger.take(parts);
  const mentions = [...kept, ...parts].sort((a, b) => a.from - b.from);
  const conditions = comparisons.flatMap((comparison) => conditionOf(comparison, mentions) ?? []);
  const ranks = cues.has("highest") || cues.has("lowest");
  const top = ranks || cues.has("head") ? topOf(words, ledger.isFree) : undefined;
  const loose = comparisons.filter(({ from }) => !conditions.some((condition) => condition.from === from));
  const unknown = [
    ...loose.map(({ to }) => ({ text: words[to - 1]?.text ?? "", place: "value" as const })),
    ...unmeasured(words, table),
    ...unknownWords(words, table, (index) => ledger.isFree(index) && !cued.has(index)),
  ].filter(({ text }) => Number(text) !== top);
  return {
    words,
    mentions,
    values,
    periods,
    conditions,
    grain: grain?.grain,
    cues,
    top,
    time,
    unknown,
    doubts: [...doubts, ...operatives],
  };
}

/** "urban" is a name's part as well as a value; the value is the closer meaning. */
function isPartOfBoolean(names: readonly Mention[], index: number): boolean {
  return names.some(({ column, from, to }) => column.kind === "boolean" && from <= index && index < to);
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten".split(" ");

/** "top 5", "the three largest", "5 rows with the highest …". */
function topOf(words: readonly Word[], isFree: (index: number) => boolean): number | undefined {
  for (const [at, { text }] of words.entries()) {
    const value = numberOf(text) ?? (NUMBER_WORDS.includes(text) ? NUMBER_WORDS.indexOf(text) : undefined);
    if (value === undefined || !isFree(at) || text.endsWith("%") || !Number.isInteger(value)) continue;
    if (value >= 1 && value <= 100 && (text !== "one" || words[at - 1]?.text === "top")) return value;
  }
  const first = words.findIndex(({ text }) => text === "first");
  return first >= 0 && /^(?:row|record|line|entry)$/.test(words[first + 1]?.text ?? "") ? 1 : undefined;
}

const TABLE_WORDS = /^(?:table|file|data|dataset|csv|tsv|xlsx|parquet|json)$/;

/** "in the traffic accidents table" speaks of no column. */
function withoutTableName(words: readonly Word[], name: readonly string[]): readonly Word[] {
  const is = (at: number) => name.every((stem, offset) => words[at + offset]?.stem === stem);
  const at = words.findIndex(
    (_, index) =>
      name.length > 0 &&
      is(index) &&
      (TABLE_WORDS.test(words[index - 1]?.text ?? "") ||
        TABLE_WORDS.test(words[index + name.length]?.text ?? "")),
  );
  return at < 0 ? words : words.toSpliced(at, name.length);
}

/** "how long" where nothing in the table has a length. */
function unmeasured(words: readonly Word[], { columns }: Table): UnknownWord[] {
  const stems = columns.flatMap(({ name }) => nameStems(name));
  return words.flatMap(({ text, stem: said }) => {
    const meant = measuredBy(text);
    if (meant === undefined || stems.some((one) => one === stem(meant) || areSynonyms(one, stem(meant))))
      return [];
    return stems.includes(said) ? [] : [{ text, place: "other" as const }];
  });
}

/** What a row may be; an answer speaks of rows all the same. */
export const ROW_NOUNS =
  /^(?:orders?|transactions?|purchases?|people|persons?|employees?|workers?|customers?|items?|events?|visits?)$/;

function unknownWords(
  words: readonly Word[],
  table: Table,
  isFree: (index: number) => boolean,
): UnknownWord[] {
  const handle = new Set(nameStems(table.handle));
  return words.flatMap((word, index) => {
    if (!isFree(index) || !/^(?:\p{L}{2}|\d)/u.test(word.text)) return [];
    if (FILLERS.has(word.text) || ROW_NOUNS.test(word.text) || handle.has(word.stem)) return [];
    return [{ text: word.text, place: placeOf(words, index) }];
  });
}

/** What stands before a word says what it was to be. */
function placeOf(words: readonly Word[], index: number): UnknownWord["place"] {
  const lead = words
    .slice(0, index)
    .findLast(({ text }) => !/^(?:the|a|an|all|our|my|their|its|each|every|different)$/.test(text))?.text;
  if (
    /^(?:by|per|across|among|grouped)$/.test(lead ?? "") ||
    /^(?:each|every)$/.test(words[index - 1]?.text ?? "")
  )
    return "group";
  if (/^(?:in|for|from|within|during|only|where|called|named|except|excluding)$/.test(lead ?? ""))
    return "value";
  // A word that usually names a column stands for one that is not there.
  return isConcept(words[index]?.stem ?? "") ? "group" : "other";
}
