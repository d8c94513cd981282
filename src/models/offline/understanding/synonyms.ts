import { stem } from "./words.ts";

/** Words that people use for one another when they speak of tables. */
const GROUPS: readonly string[] = [
  "sales revenue turnover total amount income earnings proceeds money sell",
  "price cost charge",
  "profit margin gain",
  "quantity qty units pieces volume sold",
  "product item article goods sku",
  "region area territory zone district place location",
  "customer client buyer",
  "employee staff worker person people",
  "salary wage pay paid earning compensation",
  "gender sex",
  "country nation",
  "city town",
  "date day time when",
  "score rating grade mark",
  "department dept division team",
  "category type kind class segment group",
  "shop store outlet branch",
  "accident crash collision",
  "vehicle car traffic",
  "fine penalty",
  "speed velocity",
  "rain rainfall precipitation rainy",
  "pavement road surface",
  "temperature temp heat",
  "weight mass",
  "population inhabitants",
  "error failure fault defect",
  "duration length elapsed",
];

/** What an adjective measures, where nothing else is named. */
const MEASURED_BY: readonly (readonly [RegExp, string])[] = [
  [/^(?:cheap\w*|expensive|dear\w*)$/, "price"],
  [/^(?:fast\w*|slow\w*)$/, "speed"],
  [/^(?:old\w*|young\w*)$/, "age"],
  [/^(?:heav\w*|light\w*)$/, "weight"],
  [/^(?:tall\w*)$/, "height"],
  [/^(?:long\w*|short\w*)$/, "duration"],
  [/^(?:warm\w*|hot\w*|cold\w*)$/, "temperature"],
];

/** "cheapest" speaks of a price. */
export function measuredBy(word: string): string | undefined {
  return MEASURED_BY.find(([pattern]) => pattern.test(word))?.[1];
}

const MEANINGS: ReadonlyMap<string, ReadonlySet<string>> = byWord();

function byWord(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of GROUPS) {
    const stems = group.split(" ").map(stem);
    for (const one of stems) {
      const all = found.get(one) ?? new Set<string>();
      for (const other of stems) all.add(other);
      found.set(one, all);
    }
  }
  return found;
}

/** Whether the word is one that usually names a column. */
export function isConcept(stemmed: string): boolean {
  return MEANINGS.has(stemmed);
}

export function areSynonyms(a: string, b: string): boolean {
  return MEANINGS.get(a)?.has(b) ?? false;
}

/** What a two-valued column's other value is called. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["urban", "rural"],
  ["male", "female"],
  ["active", "inactive"],
  ["online", "offline"],
  ["paid", "unpaid"],
  ["married", "single"],
  ["domestic", "foreign"],
  ["new", "old"],
  ["open", "closed"],
];

export function oppositeOf(stemmed: string): string | undefined {
  for (const [a, b] of OPPOSITES) {
    if (stem(a) === stemmed) return b;
    if (stem(b) === stemmed) return a;
  }
  return undefined;
}
