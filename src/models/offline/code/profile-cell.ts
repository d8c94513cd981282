import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { type Cell, type Column, ColumnKind, type Reading, type Table } from "../table.ts";

/** More columns than this are not all looked at. */
export const MOST_COLUMNS = 60;
const FIRST_COLUMNS = 40;

/** What is printed must be read back whole, so it is cut to this many bytes inside. */
const PROFILE_BYTES = 6_000;

/** Finds out what every column holds; of a very wide table the first ones and those that the words are about. */
export function profileCell(df: string, words: readonly string[]): string {
  return `import json
import re
import warnings

import pandas as pd

DATE_FORMATS = ["%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M",
                "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%m/%d/%y", "%d/%m/%y", "%m/%d/%Y %H:%M",
                "%d/%m/%Y %H:%M", "%d.%m.%Y %H:%M", "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y",
                "%d-%b-%y", "%d-%m-%y", "%d.%m.%y", "%m-%d-%Y", "%b %Y", "%B %Y", "%b-%y", "%Y-%m", "%Y%m%d"]
ID_NAME = re.compile(r"(^|[_\\W])(id|uuid|guid|key|code|zip|zipcode|postcode|phone|isbn|ssn|nr|no|index|row)$|[a-z](Id|ID)$|^unnamed", re.I)
BOOLEANS = [{"0", "1"}, {"0.0", "1.0"}, {"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"on", "off"}]


def date_format(texts):
    """The format that nearly all texts have, and whether day and month could be the other way round."""
    fits = []
    for form in DATE_FORMATS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if pd.to_datetime(texts, format=form, errors="coerce", utc="%z" in form).notna().mean() >= 0.95:
                fits.append(form)
    return (fits[0], len(fits) > 1 and "%m/%d" in fits[0]) if fits else None


def years_of(values, reading):
    """the first and the last year"""
    if reading and reading[1] != "zoned":
        values = pd.to_datetime(values, format=reading[1], errors="coerce", utc="%z" in reading[1])
    elif reading:
        values = values.dt.tz_convert("UTC")
    years = values.dt.year.dropna()
    return [int(years.min()), int(years.max())] if len(years) else None


def look_at(column, name):
    """kind, distinct values, missing values, commonest values, how texts are read"""
    if column.dtype == object:
        column = column.map(lambda value: None if isinstance(value, str) and not value.strip() else value)
    values = column.dropna()
    if len(values) and not all(isinstance(value, (str, int, float, bool)) for value in values.head(200)) and column.dtype == object:
        values = values.astype(str)
    counts = values.value_counts()
    missing, distinct, reading = int(column.isna().sum()), len(counts), None
    is_text = not (pd.api.types.is_numeric_dtype(values) or pd.api.types.is_datetime64_any_dtype(values))
    commonest = [value.item() if hasattr(value, "item") else value for value in counts.index[:30]]
    texts = values.astype(str).drop_duplicates().head(300).str.strip() if is_text and distinct else None

    def share_of(pattern):
        return texts.str.fullmatch(pattern).mean()

    if distinct == 0:
        kind = "empty"
    elif distinct == 1 and len(values) > 1:
        kind = "constant"
    elif distinct == 2 and {str(value).strip().lower() for value in commonest} in BOOLEANS:
        kind = "boolean"
    elif pd.api.types.is_datetime64_any_dtype(values):
        kind, reading = "date", ["date", "zoned", False] if values.dt.tz is not None else None
    elif not is_text:
        whole = bool((values % 1 == 0).all()) if distinct else False
        counting = whole and len(values) > 9 and distinct == len(values) and values.is_monotonic_increasing and values.max() - values.min() == len(values) - 1
        if whole and re.search("year|ann[ée]e|jahr|año|anno|jaar|год", name, re.I) and values.between(1500, 2200).all():
            kind = "year"
        else:
            kind = "id" if whole and (counting or ID_NAME.search(name)) else "number"
    elif texts.str.contains(r"\\d").mean() > 0.9 and date_format(texts):
        kind, reading = "date", ["date", *date_format(texts)]
    elif share_of(r"\\(?[-+]?[$€£¥]?\\s?[-+]?\\d[\\d,. ']*\\s?(%|[$€£¥]|[A-Z]{3})?\\)?") >= 0.95 and not share_of(r"0\\d+") > 0.1 and not ID_NAME.search(name):
        comma = share_of(r".*\\d,\\d{1,2}\\D*|.*\\.\\d{3},\\d+\\D*") > 0.5
        kind, reading = "number", ["number", bool(comma), bool(texts.str.contains("%").mean() > 0.5)]
    elif distinct == len(values) > 9 and ID_NAME.search(name):
        kind = "id"
    else:
        kind = "category" if distinct <= max(12, min(1000, len(values) * 0.3)) else "text"
    more = [years_of(values, reading)] if kind == "date" else []
    return [kind, distinct, missing, commonest if kind in ("category", "boolean", "year", "text", "constant") else [], reading, *more]


def profile(df, words, first=${FIRST_COLUMNS}, most=${MOST_COLUMNS}, size=${PROFILE_BYTES}):
    names = [str(label) for label in df.columns]
    said = {i: sum(word in name.lower() for word in words) for i, name in enumerate(names)}
    about = sorted((i for i in said if said[i]), key=lambda i: -said[i])
    wanted = range(len(names)) if len(names) <= most else sorted({*range(first), *about[: most - first]})
    rows = [[i, names[i][:200], isinstance(df.columns[i], str) and names.count(names[i]) == 1, *look_at(df.iloc[:, i], names[i])] for i in wanted]
    for longest in (30, 15, 8, 4, 0):
        for row in rows:
            row[6] = [value[:60] if isinstance(value, str) else value for value in row[6][:longest]]
        lines = [json.dumps(row, default=str, ensure_ascii=False) for row in rows]
        if len(json.dumps("\\n".join(lines)).encode()) < size:
            break
    while len(json.dumps("\\n".join(lines)).encode()) > size:
        lines.pop()
    print(json.dumps([len(df), len(names)]), *lines, sep="\\n")


profile(${df}, ${py([...words].slice(0, 20))})`;
}

const Line = z.tuple([
  z.number().int(),
  z.string(),
  z.boolean(),
  ColumnKind,
  z.number().int(),
  z.number().int(),
  z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  z.union([
    z.tuple([z.literal("date"), z.string(), z.boolean()]),
    z.tuple([z.literal("number"), z.boolean(), z.boolean()]),
    z.null(),
  ]),
  z.tuple([z.number().int(), z.number().int()]).nullish(),
]);
const Size = z.tuple([z.number().int(), z.number().int()]);

export interface Profile {
  readonly rows: number;
  readonly columnCount: number;
  readonly columns: Table["columns"];
}

/** Reads what the cell printed; lines that are none of its own are passed over. */
export function readProfile(printed: string): Profile | undefined {
  const parsed = printed.split("\n").map(parseJson);
  const size = Size.safeParse(parsed[0]);
  if (!size.success) return undefined;
  const lines = parsed.slice(1).flatMap((line) => {
    const read = Line.safeParse(line);
    return read.success ? [read.data] : [];
  });
  const seen = new Map<string, number>();
  const columns = lines.map(
    ([position, name, byName, kind, distinct, missing, values, reading, years]): Column => {
      const again = (seen.get(name) ?? 0) + 1;
      seen.set(name, again);
      const kept = values.filter((value): value is Cell => value !== null);
      return {
        position,
        name,
        key: byName ? name : again > 1 ? `${name} (${again})` : name || `column ${position + 1}`,
        kind,
        distinct,
        missing,
        values: kept,
        complete: kept.length >= distinct,
        reading: readingOf(reading),
        years: years ?? undefined,
        byName,
      };
    },
  );
  return { rows: size.data[0], columnCount: size.data[1], columns };
}

function readingOf(reading: z.infer<typeof Line>[7]): Reading | undefined {
  if (reading === null) return undefined;
  if (reading[0] === "date") return { as: "date", format: reading[1], ambiguous: reading[2] };
  return { as: "number", decimalComma: reading[1], percent: reading[2] };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
