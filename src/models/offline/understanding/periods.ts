import type { Column } from "../table.ts";
import type { Filter, Grain } from "./frame.ts";
import type { Word } from "./words.ts";

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

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

/** "in March 2024", "since 2023", "Q2 2024", "before 2024-06-01", about the table's dates. */
export function findPeriods(
  words: readonly Word[],
  column: Column | undefined,
  isFree: (index: number) => boolean,
): FoundPeriod[] {
  if (!column) return [];
  const found: FoundPeriod[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!isFree(at)) continue;
    const span = spanAt(words, at);
    if (!span) continue;
    const lead = words[at - 1]?.text ?? "";
    found.push({ filter: filterOf(span, lead, column), from: at, to: at + span.length });
    at += span.length - 1;
  }
  return found;
}

interface Span {
  /** ISO date of the first day, and of the day after the last. */
  readonly first: string;
  readonly next: string;
  readonly month?: number;
  readonly label: string;
  readonly length: number;
}

function spanAt(words: readonly Word[], at: number): Span | undefined {
  const text = words[at]?.text ?? "";
  const after = words[at + 1]?.text ?? "";
  const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (day) return span(Date.UTC(+(day[1] ?? 0), +(day[2] ?? 1) - 1, +(day[3] ?? 1)), "day", text, 1);
  const month = /^(\d{4})-(\d{2})$/.exec(text);
  if (month) return span(Date.UTC(+(month[1] ?? 0), +(month[2] ?? 1) - 1, 1), "month", text, 1);
  const quarter = /^q([1-4])$/.exec(text);
  if (quarter && isYear(after))
    return span(Date.UTC(+after, (+(quarter[1] ?? 1) - 1) * 3, 1), "quarter", `Q${quarter[1]} ${after}`, 2);
  const named = MONTHS.findIndex((name) => name === text || (text.length === 3 && name.startsWith(text)));
  if (named >= 0 && isYear(after))
    return span(Date.UTC(+after, named, 1), "month", `${capital(MONTHS[named] as string)} ${after}`, 2);
  if (
    named >= 0 &&
    (text !== "may" || words[at]?.raw === "May") &&
    (text !== "march" || words[at]?.raw === "March")
  )
    return { first: "", next: "", month: named + 1, label: capital(MONTHS[named] as string), length: 1 };
  if (isYear(text)) return span(Date.UTC(+text, 0, 1), "year", text, 1);
  return undefined;
}

function span(
  start: number,
  unit: "day" | "month" | "quarter" | "year",
  label: string,
  length: number,
): Span {
  const end = new Date(start);
  if (unit === "day") end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCMonth(end.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[unit]);
  return { first: iso(new Date(start)), next: iso(end), label, length };
}

function filterOf(found: Span, lead: string, column: Column): Filter {
  if (column.kind === "year") return yearFilter(found, lead, column);
  if (found.month !== undefined) return { kind: "month", column, month: found.month };
  const { first, next, label } = found;
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

function isYear(text: string): boolean {
  return /^(?:18|19|20)\d\d$/.test(text);
}

function iso(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
