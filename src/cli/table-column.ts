import { clipToWidth, displayWidth } from "./display-width.ts";
import { oneLine } from "./safe-text.ts";

export interface Column {
  readonly name: string;
  readonly dtype: string;
  readonly cells: readonly string[];
  readonly alignRight: boolean;
  readonly width: number;
}

const MOST_DECIMALS = 6;
const numeric = /^(?:u?int|float|double|decimal|[iuf]\d|halffloat)/i;

export function makeColumn(
  name: string,
  dtype: string,
  values: readonly unknown[],
  mostWidth: number,
): Column {
  const present = values.filter((value) => value !== null && value !== undefined);
  const numbers = present.length > 0 && present.every((value) => typeof value === "number");
  const texts = cellTexts(values, dtype).map((text) => clipToWidth(oneLine(text), mostWidth));
  const shownName = clipToWidth(oneLine(name), mostWidth);
  const shownType = clipToWidth(oneLine(dtype), mostWidth);
  return {
    name: shownName,
    dtype: shownType,
    cells: texts,
    alignRight: numbers || numeric.test(dtype),
    width: Math.max(...[shownName, shownType, ...texts].map(displayWidth)),
  };
}

function cellTexts(values: readonly unknown[], dtype: string): string[] {
  const asFloat = /^(?:float|f\d|double|halffloat)/i.test(dtype) ? floatFormat(values) : String;
  const onlyDates = values.every((value) => typeof value !== "string" || value.endsWith("T00:00:00"));
  return values.map((value) => {
    if (value === null || value === undefined) return "–";
    if (typeof value === "number") return asFloat(value);
    if (value === "Infinity" || value === "-Infinity") return value.replace("Infinity", "inf");
    if (typeof value === "string" && /^(?:datetime|timestamp)/i.test(dtype)) {
      return onlyDates ? value.slice(0, -"T00:00:00".length) : value.replace("T", " ");
    }
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  });
}

/** The same number of decimals down the whole column, as few as its values need. */
function floatFormat(values: readonly unknown[]): (value: number) => string {
  let decimals = 1;
  for (const value of values) {
    if (typeof value !== "number" || value === 0) continue;
    const size = Math.abs(value);
    if (size >= 1e15 || size < 1e-4) return (number) => String(Number(number.toPrecision(7)));
    const digits = String(Number(value.toFixed(MOST_DECIMALS))).split(".")[1] ?? "";
    decimals = Math.max(decimals, digits.length);
  }
  return (number) => number.toFixed(decimals);
}
