// what the words mean → which values are conditions → which columns are measured and which make groups → frame
import type { Column, Table } from "../table.ts";
import type { Mention } from "./column-matching.ts";
import type { Cue } from "./cues.ts";
import type { Aggregate, Filter, Frame, Order } from "./frame.ts";
import { mainMeasure } from "./measures.ts";
import { assignRoles } from "./roles.ts";
import { ROW_NOUNS, senseWords } from "./sense-words.ts";
import { areSynonyms, measuredBy } from "./synonyms.ts";
import { truthOf, type ValueMention } from "./value-matching.ts";
import { nameStems, stem, type Word } from "./words.ts";

/** What a question asks of a table, before it is decided which analysis answers it. */
export function readQuestion(question: string, table: Table): Frame {
  const { words, mentions, values, periods, conditions, grain, top, time, unknown, doubts, ...sensed } =
    senseWords(question, table);
  const cues = new Set(sensed.cues);
  const main = mainMeasure(table);
  const aggregate = aggregateOf(cues);
  const order = orderOf(cues);

  const asked = mentions.filter((mention) => !isOnlyCondition(mention, conditions, mentions, cues));
  const counted = asked.filter((mention) => !cues.has("count") || !isCountedRow(mention, words, table));
  const entities = counted.filter((mention) => isEntity(mention, table));
  if (entities.length > 0 && order) cues.add("rows");
  const columns = counted.filter((mention) => !entities.includes(mention));
  const spoken = columns.filter((mention) => speaksOfRows(mention, { words, entities, columns, cues }));
  const { pair, filters, shown } = settleValues(values, words, cues);
  const roles = assignRoles({
    words,
    mentions: columns.filter((mention) => !spoken.includes(mention)),
    cues,
    shown,
    main,
  });
  const named = roles.metric ?? measuredColumn(words, table);
  // "does speed matter?" asks what it does to the number that the table is about.
  const judged =
    cues.has("matters") && named && main && named !== main && roles.others.length === 0 ? named : undefined;
  if (judged) cues.add("influence");
  const metric = judged ? main : named;
  return {
    table,
    cues,
    metric,
    metricNamed: metric !== undefined,
    others: judged ? [judged] : roles.others,
    aggregate,
    groups: roles.groups,
    filters: [
      ...spoken.map(
        ({ column }): Filter => ({ kind: "is", column, values: [truthOf(column)[0] ?? 1], not: false }),
      ),
      ...filters,
      ...conditions.map(({ filter }) => filter),
      ...periods.map(({ filter }) => filter),
    ],
    pair,
    time: roles.time ?? (grain || cues.has("trend") || cues.has("change") ? time : undefined),
    grain,
    top,
    order,
    named: columns.length + values.length + conditions.length,
    said: saidAggregates(words),
    unknown,
    doubts,
  };
}

/** "units above 5" names units for the condition only, unless nothing else is asked about. */
function isOnlyCondition(
  mention: Mention,
  conditions: readonly { filter: Filter; from: number }[],
  all: readonly Mention[],
  cues: ReadonlySet<Cue>,
): boolean {
  const used = conditions.some(
    ({ filter, from }) => filter.column === mention.column && from >= mention.to - 1,
  );
  return (
    used && (cues.has("count") || cues.has("share") || all.some((other) => other.column !== mention.column))
  );
}

/** "employees" of a table with an employee_id that is never the same: the rows themselves. */
function isEntity({ column, surety }: Mention, table: Table): boolean {
  return (
    (column.kind === "id" || column.kind === "text") && surety < 0.9 && column.distinct >= table.rows * 0.95
  );
}

/** "how many sales", "how many did we sell": what is counted is no sum of a column that only sounds like it. */
function isCountedRow({ column, from, surety }: Mention, words: readonly Word[], table: Table): boolean {
  const isTable = nameStems(table.handle).includes(words[from]?.stem ?? "");
  return column.kind === "number" && (surety < 0.6 || (isTable && surety <= 0.8));
}

interface Speaking {
  readonly words: readonly Word[];
  readonly entities: readonly Mention[];
  readonly columns: readonly Mention[];
  readonly cues: ReadonlySet<Cue>;
}

/** "remote employees" are the rows where remote is yes; in "do remote employees earn more" the two are compared. */
function speaksOfRows({ column, to }: Mention, { words, entities, columns, cues }: Speaking): boolean {
  if (column.kind !== "boolean" || truthOf(column)[0] === undefined) return false;
  const noun = ROW_NOUNS.test(words[to]?.text ?? "") || entities.some(({ from }) => from === to);
  if (!noun || cues.has("share")) return false;
  const grouped = columns.some(
    (other) => other.column !== column && other.column.kind !== "number" && other.column.kind !== "boolean",
  );
  const compared = (["highest", "lowest", "compare", "influence", "factors", "change"] as const).some((cue) =>
    cues.has(cue),
  );
  return grouped || !compared;
}

interface SettledValues {
  readonly pair: Frame["pair"];
  readonly filters: readonly Filter[];
  /** Columns several of whose values are to be shown side by side. */
  readonly shown: readonly Column[];
}

function settleValues(
  values: readonly ValueMention[],
  words: readonly Word[],
  cues: ReadonlySet<Cue>,
): SettledValues {
  const byColumn = Map.groupBy(values, ({ column }) => column);
  const filters: Filter[] = [];
  const shown: Column[] = [];
  let pair: Frame["pair"];
  for (const [column, mentions] of byColumn) {
    const distinct = [...new Set(mentions.map(({ value }) => value))];
    const [a, b] = distinct;
    const not = mentions.some(({ from }) => isNegated(words, from));
    if (!pair && !not && a !== undefined && b !== undefined && distinct.length === 2 && cues.has("compare")) {
      pair = { column, a, b };
      continue;
    }
    filters.push({ kind: "is", column, values: distinct, not });
    if (distinct.length > 1 && !not) shown.push(column);
  }
  return { pair, filters, shown };
}

function isNegated(words: readonly Word[], at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at).map(({ text }) => text);
  return (
    before.some((text) => /^(?:not|except|excluding|without|outside)$/.test(text)) ||
    before.slice(-2).join(" ") === "other than"
  );
}

const AGGREGATES: readonly (readonly [Cue, Aggregate])[] = [
  ["median", "median"],
  ["std", "std"],
  ["distinct", "distinct"],
  ["rows", "count"],
  ["mean", "mean"],
  ["min", "min"],
  ["max", "max"],
  ["sum", "sum"],
  ["count", "count"],
];

function aggregateOf(cues: ReadonlySet<Cue>): Aggregate | undefined {
  return AGGREGATES.find(([cue]) => cues.has(cue))?.[1];
}

const AGGREGATE_SAYINGS: readonly (readonly [RegExp, Aggregate])[] = [
  [/^(?:totals?|sums?)$/, "sum"],
  [/^(?:averages?|means?|avg)$/, "mean"],
  [/^medians?$/, "median"],
];

function saidAggregates(words: readonly Word[]): ReadonlySet<Aggregate> {
  return new Set(
    AGGREGATE_SAYINGS.flatMap(([pattern, aggregate]) =>
      words.some(({ text }) => pattern.test(text)) ? [aggregate] : [],
    ),
  );
}

function orderOf(cues: ReadonlySet<Cue>): Order | undefined {
  return cues.has("lowest") ? "lowest" : cues.has("highest") ? "highest" : undefined;
}

/** "cheapest" means the price, where there is one column of that name. */
function measuredColumn(words: readonly Word[], { columns }: Table): Column | undefined {
  const meant = words.flatMap(({ text }) => measuredBy(text) ?? [])[0];
  if (meant === undefined) return undefined;
  const stemmed = stem(meant);
  const alike = columns.filter(
    ({ kind, name }) =>
      kind === "number" && nameStems(name).some((one) => one === stemmed || areSynonyms(one, stemmed)),
  );
  return alike.length === 1 ? alike[0] : undefined;
}
