import type { Column } from "../table.ts";
import { type Span, spanAt } from "./calendar.ts";
import type { Doubt, Filter, Grain } from "./frame.ts";
import type { Word } from "./words.ts";

const GRAINS: readonly (readonly [RegExp, Grain])[] = [
  [/^(?:weekdays?|dayofweek)$/, "weekday"],
  [/^(?:hours?|hourly)$/, "hour"],
  [/^(?:days?|daily|dates?)$/, "day"],
  [/^(?:weeks?|weekly)$/, "week"],
  [/^(?:months?|monthly)$/, "month"],
  [/^(?:quarters?|quarterly)$/, "quarter"],
  [/^(?:years?|yearly|annual|annually)$/, "year"],
];

export interface FoundGrain {
  readonly grain: Grain;
  readonly from: number;
  readonly to: number;
}

/** "by month", "monthly", "day of the week". */
export function findGrain(
  words: readonly Word[],
  isFree: (index: number) => boolean,
): FoundGrain | undefined {
  for (const [at, word] of words.entries()) {
    if (!isFree(at)) continue;
    const rest = words.slice(at, at + 4).map(({ text }) => text);
    const ofWeek = /^days? of (?:the )?week/.exec(rest.join(" "));
    if (ofWeek) return { grain: "weekday", from: at, to: at + ofWeek[0].split(" ").length };
    const grain = GRAINS.find(([pattern]) => pattern.test(word.text))?.[1];
    if (grain && !/^(?:last|next|past|this)$/.test(words[at - 1]?.text ?? ""))
      return { grain, from: at, to: at + 1 };
  }
  return undefined;
}

export interface FoundPeriod {
  readonly filter: Filter;
  readonly from: number;
  readonly to: number;
}

export interface FoundPeriods {
  readonly periods: readonly FoundPeriod[];
  readonly doubts: readonly Doubt[];
}

const OPEN_LEADS = /^(?:since|from|after|before|until|till|through|between)$/;
const JOINS = /^(?:to|until|till|through)$/;
/** "total over 2000" names no year. */
const COMPARING = /^(?:above|over|below|under|than|least|most|exactly|equals|exceeding|exceeds|[<>]=?|=)$/;

/** "in March 2024", "since 2023", "Q2 2024", "between June and August", about the table's dates. */
export function findPeriods(
  words: readonly Word[],
  column: Column | undefined,
  isFree: (index: number) => boolean,
): FoundPeriods {
  if (!column) return { periods: [], doubts: [] };
  const periods: FoundPeriod[] = [];
  const doubts: Doubt[] = [];
  const only = column.years && column.years[0] === column.years[1] ? column.years[0] : undefined;
  const read = (at: number) => (isFree(at) ? spanAt(words, at, only) : undefined);
  for (let at = 0; at < words.length; at++) {
    const lead = words[at - 1]?.text ?? "";
    const first = COMPARING.test(lead) ? undefined : read(at);
    if (!first) continue;
    const middle = at + first.length;
    const join = words[middle]?.text ?? "";
    const joined = JOINS.test(join) || (lead === "between" && join === "and");
    const last = joined ? read(middle + 1) : undefined;
    const to = last ? middle + 1 + last.length : middle;
    const filter = last ? rangeOf(first, last, column) : filterOf(first, lead, column);
    if (filter) periods.push({ filter, from: at, to });
    else doubts.push(doubt(unclear(first, last, column)));
    at = to - 1;
  }
  if (areApart(periods.map(({ filter }) => filter)))
    doubts.push(doubt(`I look at one period at a time, and ${said(words, periods)} are more than one.`));
  return { periods, doubts };
}

function doubt(why: string): Doubt {
  return { why: `I did not understand that: ${why}`, served: () => false };
}

function unclear(first: Span, last: Span | undefined, column: Column): string {
  const named = last ? `“${first.label}” to “${last.label}”` : `“${first.label}”`;
  if (column.kind === "year") return `${named} is finer than the years that the table has.`;
  if (first.first === "" || last?.first === "")
    return `${named} does not say which year is meant. Add the year.`;
  return last ? `${named} ends before it begins.` : `after “between” I find only ${named}.`;
}

function said(words: readonly Word[], periods: readonly FoundPeriod[]): string {
  const texts = periods.map(({ from, to }) =>
    words
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(" "),
  );
  return texts.map((text) => `“${text}”`).join(" and ");
}

/** Whether these cannot all be meant of one row: two closed periods, or open ones that do not meet. */
function areApart(filters: readonly Filter[]): boolean {
  const months = filters.filter(({ kind }) => kind === "month");
  const values = filters.filter((filter) => filter.kind === "compare" || filter.kind === "between");
  const spans = filters.filter((filter) => filter.kind === "period");
  const closed = spans.filter(({ from, until }) => from !== undefined && until !== undefined);
  if (months.length > 1 || closed.length > 1) return true;
  if (values.length > 1 && values.some((one) => one.kind === "between" || one.operator === "==")) return true;
  const starts = spans.flatMap(({ from }) => from ?? []).sort();
  const ends = spans.flatMap(({ until }) => until ?? []).sort();
  const [latest, earliest] = [starts.at(-1), ends[0]];
  return latest !== undefined && earliest !== undefined && latest >= earliest;
}

/** From the beginning of the one to the end of the other; undefined where that is no period. */
function rangeOf(first: Span, last: Span, column: Column): Filter | undefined {
  if (first.first === "" || last.first === "" || first.first > last.first) return undefined;
  if (column.kind === "year") {
    if (!first.isYear || !last.isYear) return undefined;
    return {
      kind: "between",
      column,
      low: Number(first.first.slice(0, 4)),
      high: Number(last.first.slice(0, 4)),
    };
  }
  const label = `from ${first.label} to ${last.label}`;
  return { kind: "period", column, from: first.first, until: last.next, label };
}

function filterOf(found: Span, lead: string, column: Column): Filter | undefined {
  if (column.kind === "year") return found.isYear ? yearFilter(found, lead, column) : undefined;
  const { first, next, label, month } = found;
  if (month !== undefined && !OPEN_LEADS.test(lead)) return { kind: "month", column, month };
  if (first === "" || lead === "between") return undefined;
  if (/^(?:since|from)$/.test(lead))
    return { kind: "period", column, from: first, until: undefined, label: `since ${label}` };
  if (lead === "after")
    return { kind: "period", column, from: next, until: undefined, label: `after ${label}` };
  if (lead === "before")
    return { kind: "period", column, from: undefined, until: first, label: `before ${label}` };
  if (/^(?:until|till|through)$/.test(lead))
    return { kind: "period", column, from: undefined, until: next, label: `until ${label}` };
  return { kind: "period", column, from: first, until: next, label };
}

function yearFilter({ first }: Span, lead: string, column: Column): Filter {
  const operators = { since: ">=", from: ">=", after: ">", before: "<", until: "<=", till: "<=" } as const;
  const operator = operators[lead as keyof typeof operators] ?? "==";
  return { kind: "compare", column, operator, value: Number(first.slice(0, 4)) };
}
