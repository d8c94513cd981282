import { code, listed, plain } from "../markdown.ts";
import { num } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Aggregate, Filter, Frame } from "../understanding/frame.ts";
import { isAdditive } from "../understanding/measures.ts";
import { oppositeOf } from "../understanding/synonyms.ts";
import { nameStems } from "../understanding/words.ts";

export const AGGREGATE_NAMES: Readonly<Record<Aggregate, string>> = {
  mean: "average",
  median: "median",
  sum: "total",
  min: "minimum",
  max: "maximum",
  std: "standard deviation",
  count: "number of rows",
  distinct: "number of distinct values",
};

/** "total `total`" would be read as a slip. */
const SAYS_AGGREGATE = new Set("total sum averag mean median count number".split(" "));
const PLAIN_NAMES: Partial<Record<Aggregate, string>> = { mean: "mean", sum: "sum" };

/** "average `units`", "sum of `total`", "number of rows". */
export function measureWords(aggregate: Aggregate, metric: Column | undefined): string {
  if (aggregate === "count" || !metric) return AGGREGATE_NAMES.count;
  if (metric.kind === "boolean" && aggregate === "mean") return `share of rows with ${code(metric.name)}`;
  const says = nameStems(metric.name).some((stem) => SAYS_AGGREGATE.has(stem));
  if (says) return `${PLAIN_NAMES[aggregate] ?? AGGREGATE_NAMES[aggregate]} of ${code(metric.name)}`;
  return `${AGGREGATE_NAMES[aggregate]} ${aggregate === "distinct" || aggregate === "std" ? "of " : ""}${code(metric.name)}`;
}

/** The same for a chart or an intent: no Markdown. */
export function measureTitle(aggregate: Aggregate, metric: Column | undefined): string {
  return measureWords(aggregate, metric).replaceAll("`", "");
}

/** A value as a reader takes it: "0 (rural)" of a column urban_area, "1 (yes)" of others that have two. */
export function valueWords(column: Column, value: string): string {
  if (column.kind !== "boolean" || !/^[01](?:\.0)?$/.test(value)) return plain(value);
  const word = nameStems(column.name).find((stem) => oppositeOf(stem) !== undefined);
  const [yes, no] = word ? [word, oppositeOf(word) as string] : ["yes", "no"];
  return `${value.slice(0, 1)} (${value.startsWith("1") ? yes : no})`;
}

/** A cell as pandas writes it, without midnights and needless zeros. */
export function cellWords(cell: string): string {
  const text = cell.replace(/ 00:00:00$/, "").replace(/^(-?\d+)\.0$/, "$1");
  return /^(?:nan|NaT|None|<NA>)$/.test(text) ? "–" : plain(text);
}

/** " where `region` is North and …", or nothing. */
export function filterWords(filters: readonly Filter[]): string {
  return filters.length === 0 ? "" : ` where ${listed(filters.map(filterPhrase))}`;
}

function filterPhrase(filter: Filter): string {
  const name = code(filter.column.name);
  switch (filter.kind) {
    case "is":
      return `${name} is ${filter.not ? "not " : ""}${listed(
        filter.values.map((value) => plain(String(value))),
        "or",
      )}`;
    case "compare":
      return `${name} ${filter.operator === "==" ? "=" : filter.operator} ${num(filter.value)}`;
    case "between":
      return `${name} is between ${num(filter.low)} and ${num(filter.high)}`;
    case "month":
      return `the month of ${name} is ${MONTHS[filter.month - 1]}`;
    case "period":
      return /^\d|^[A-Z]/.test(filter.label) ? `${name} is in ${filter.label}` : `${name} is ${filter.label}`;
  }
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** For the name of a file. */
export function filterSlugs(filters: readonly Filter[]): string[] {
  return filters.map((filter) => {
    if (filter.kind === "is") return `${filter.not ? "not " : ""}${filter.values.join(" ")}`;
    if (filter.kind === "period") return filter.label;
    if (filter.kind === "month") return MONTHS[filter.month - 1] ?? "";
    return filter.kind === "compare"
      ? `${filter.column.name} ${OPERATOR_SLUGS[filter.operator]} ${filter.value}`
      : `${filter.low} to ${filter.high}`;
  });
}

/** A chart's title with what was filtered. */
export function titled(title: string, filters: readonly Filter[]): string {
  const only = filterSlugs(filters).map((text) => text.replace(/\s+/g, " ").trim());
  return only.length === 0 ? title : `${title} (${only.join(", ").slice(0, 40)})`;
}

const OPERATOR_SLUGS = { ">": "above", ">=": "from", "<": "below", "<=": "to", "==": "is" };

/** What is meant where the question does not say. */
export function aggregateFor(frame: Frame): Aggregate {
  const { metric, aggregate, cues } = frame;
  if (!metric) return aggregate === "distinct" ? "distinct" : "count";
  if (metric.kind !== "number" && metric.kind !== "boolean")
    return aggregate === "distinct" ? "distinct" : "count";
  if (aggregate === "count")
    return cues.has("count") && frame.metricNamed && metric.kind === "number" ? "sum" : "count";
  if (aggregate) return aggregate;
  return isAdditive(metric) ? "sum" : "mean";
}

/** What was left out and how much is left, for the end of an answer. */
export function droppedNote(dropped: number, what: string): string | undefined {
  return dropped > 0
    ? `${num(dropped)} ${dropped === 1 ? "row was" : "rows were"} left out for ${what}.`
    : undefined;
}

/** How texts were read as dates or numbers, where that is a guess. */
export function readingNotes(columns: readonly (Column | undefined)[]): string[] {
  return [...new Set(columns)].flatMap((column) => {
    if (column?.reading?.as === "date" && column.reading.ambiguous)
      return [`Dates in ${code(column.name)} could be day/month or month/day; I read month first.`];
    if (column?.reading?.as === "number" && column.reading.percent)
      return [`${code(column.name)} holds percentages; 12 means 12 %.`];
    if (column?.reading?.as === "number")
      return [`${code(column.name)} holds numbers as text; I read them as numbers.`];
    return [];
  });
}

/** A sentence per line of small print, in one paragraph. */
export function smallPrint(...notes: readonly (string | undefined | false)[]): string | undefined {
  const said = notes.filter((note) => typeof note === "string" && note !== "");
  return said.length === 0 ? undefined : said.join(" ");
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** When the conditions leave no row. */
export function nothingLeft({ filters, table: of }: Frame): string {
  return filters.length > 0
    ? `No row of the table has values to work with${filterWords(filters)}.`
    : `The table ${code(of.handle)} has no rows with values in these columns.`;
}

/** The method of pandas that computes it. */
export function methodOf(how: Aggregate): string {
  return how === "distinct" ? "nunique" : how;
}
