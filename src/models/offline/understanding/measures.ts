import type { Column, Table } from "../table.ts";
import { nameStems } from "./words.ts";

const ADDITIVE = new Set(
  "total sale revenu turnover amount unit quantiti qti cost profit volum sold count number order visit click income expens budget spend".split(
    " ",
  ),
);
const RATE = new Set(
  "pric rat ratio averag mean avg percent pct score rating index densiti intensiti quali qualiti speed ag temperatur temp level shar margin".split(
    " ",
  ),
);

/** Whether the column is one of those that people add up. */
export function isAdditive(column: Column): boolean {
  const stems = nameStems(column.name);
  return (
    column.kind === "number" &&
    stems.some((stem) => ADDITIVE.has(stem)) &&
    !stems.some((stem) => RATE.has(stem))
  );
}

const MAIN = "total revenu sale turnover amount profit income valu salari wag pric cost score count".split(
  " ",
);

/** The number that a table seems to be about. */
export function mainMeasure(table: Table): Column | undefined {
  const numbers = table.columns.filter(({ kind }) => kind === "number");
  const handle = nameStems(table.handle);
  const named = numbers.find((column) => nameStems(column.name).every((stem) => handle.includes(stem)));
  if (named) return named;
  for (const stem of MAIN) {
    const found = numbers.find((column) => nameStems(column.name).includes(stem));
    if (found) return found;
  }
  return numbers.length === 1 ? numbers[0] : undefined;
}
