import type { Word } from "./words.ts";

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

export interface Span {
  /** ISO date of the first day, and of the day after the last; empty where the year is not known. */
  readonly first: string;
  readonly next: string;
  /** Of a month that was named without its year. */
  readonly month?: number;
  readonly isYear?: boolean;
  readonly label: string;
  /** How many words it takes. */
  readonly length: number;
}

type Unit = "day" | "month" | "quarter" | "year";

/** The day, month, quarter or year named here; where no year is named, it is the only one that the data has. */
export function spanAt(words: readonly Word[], at: number, only: number | undefined): Span | undefined {
  const text = words[at]?.text ?? "";
  const after = words[at + 1]?.text ?? "";
  const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (day) return span(Date.UTC(+(day[1] ?? 0), +(day[2] ?? 1) - 1, +(day[3] ?? 1)), "day", text, 1);
  const month = /^(\d{4})-(\d{2})$/.exec(text);
  if (month) return span(Date.UTC(+(month[1] ?? 0), +(month[2] ?? 1) - 1, 1), "month", text, 1);
  const quarter = /^q([1-4])$/.exec(text);
  if (quarter) {
    const year = isYear(after) ? +after : only;
    const start = (+(quarter[1] ?? 1) - 1) * 3;
    return dated(year, start, 1, "quarter", `Q${quarter[1]}`, isYear(after) ? 2 : 1);
  }
  if (monthAt(words, at) >= 0) return monthSpan(words, at, only);
  const isDay = dayOf(text) !== undefined && words[at - 1]?.text !== "top";
  const named = at + (isDay && isSuffix(after) ? 2 : 1);
  if (isDay && monthAt(words, named) >= 0) {
    const year = words[named + 1]?.text ?? "";
    const known = isYear(year);
    const length = named - at + (known ? 2 : 1);
    return dayIn(monthAt(words, named), dayOf(text) ?? 1, known ? +year : only, length);
  }
  return isYear(text) ? { ...span(Date.UTC(+text, 0, 1), "year", text, 1), isYear: true } : undefined;
}

function monthSpan(words: readonly Word[], at: number, only: number | undefined): Span | undefined {
  const month = monthAt(words, at);
  const after = words[at + 1]?.text ?? "";
  const name = capital(MONTHS[month] as string);
  if (isYear(after)) return dated(+after, month, 1, "month", name, 2);
  const day = dayOf(after);
  if (day === undefined) return { ...dated(only, month, 1, "month", name, 1), month: month + 1 };
  const next = at + (isSuffix(words[at + 2]?.text ?? "") ? 3 : 2);
  const year = words[next]?.text ?? "";
  return dayIn(month, day, isYear(year) ? +year : only, next - at + (isYear(year) ? 1 : 0));
}

function dayIn(month: number, day: number, year: number | undefined, length: number): Span {
  return dated(year, month, day, "day", `${day} ${capital(MONTHS[month] as string)}`, length);
}

function dated(
  year: number | undefined,
  month: number,
  day: number,
  unit: Unit,
  name: string,
  length: number,
): Span {
  if (year === undefined) return { first: "", next: "", label: capital(name), length };
  return span(Date.UTC(year, month, day), unit, `${name} ${year}`, length);
}

function span(start: number, unit: Unit, label: string, length: number): Span {
  const end = new Date(start);
  if (unit === "day") end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCMonth(end.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[unit]);
  return { first: iso(new Date(start)), next: iso(end), label, length };
}

/** The place of a month's name in the year, or -1; "may" and "march" are months only with a capital or a year. */
function monthAt(words: readonly Word[], at: number): number {
  const { text, raw } = words[at] ?? { text: "", raw: "" };
  const named = MONTHS.findIndex((name) => name === text || (text.length === 3 && name.startsWith(text)));
  const isVerb = (text === "may" || text === "march") && raw === text;
  return isVerb && !isYear(words[at + 1]?.text ?? "") ? -1 : named;
}

function dayOf(text: string): number | undefined {
  const day = /^([12]?\d|3[01]),?$/.exec(text)?.[1];
  return day === undefined || day === "0" ? undefined : Number(day);
}

function isSuffix(text: string): boolean {
  return /^(?:st|nd|rd|th)$/.test(text);
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
