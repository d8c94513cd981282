import type { Table } from "../table.ts";
import { FILLERS } from "./cues.ts";
import { areSynonyms } from "./synonyms.ts";
import { findValues } from "./value-matching.ts";
import { likeness, nameStems, type Word, wordsOf } from "./words.ts";

export interface TableNames {
  readonly handle: string;
  readonly columns: readonly string[];
  /** Texts of the first rows, once it was loaded. */
  readonly sample?: readonly string[];
  /** Once it was looked at: all the values that are known. */
  readonly profiled?: Table | undefined;
}

const NAME_OF_FILE = 10;
const NAME_OF_TABLE = 2;
const VALUE = 2;
const SYNONYM = 0.4;

/** How much of a question is about a table: by its name, its columns and its values. */
export function relevance(question: string, names: TableNames): number {
  const words = wordsOf(question);
  const stems = [...new Set(words.filter(({ text }) => !FILLERS.has(text)).map(({ stem }) => stem))];
  const handle = nameStems(names.handle);
  const columns = names.columns.map(nameStems).filter((name) => name.length > 0);
  const file = question.toLowerCase().includes(`${names.handle.toLowerCase()}.`) ? NAME_OF_FILE : 0;
  const table = stems.filter((stem) => handle.some((name) => likeness(stem, name) >= 0.85)).length;
  const parts = stems.map((stem) => Math.max(0, ...columns.map((column) => alikeness(stem, column))));
  const whole = columns.filter((column) => column.every((part) => stems.includes(part))).length;
  return file + table * NAME_OF_TABLE + sum(parts) + whole + valuesNamed(words, stems, names) * VALUE;
}

/** A synonym counts the less, the more words the name has. */
function alikeness(stem: string, column: readonly string[]): number {
  return Math.max(
    ...column.map((part) =>
      Math.max(likeness(stem, part), areSynonyms(stem, part) ? SYNONYM / column.length : 0),
    ),
  );
}

function valuesNamed(
  words: readonly Word[],
  stems: readonly string[],
  { sample = [], profiled }: TableNames,
): number {
  if (profiled) return findValues(words, profiled.columns, () => true).length;
  const values = new Set(sample.map((text) => nameStems(text).join(" ")));
  return stems.filter((stem) => values.has(stem)).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Whether the question calls the table by its name. */
export function isNamed(question: string, handle: string): boolean {
  const stems = wordsOf(question).map(({ stem }) => stem);
  const names = nameStems(handle);
  return names.length > 0 && names.every((name) => stems.includes(name));
}
