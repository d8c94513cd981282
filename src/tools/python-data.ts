import { finiteNumeral } from "../support/python-literal.ts";

/** A value as pure data in Python code: JSON inside a string of plain ASCII, to be read with json.loads. */
export function pythonData(value: unknown): string {
  return JSON.stringify(ascii(write(value)));
}

/** Python's reader of JSON has words for the numbers that JSON itself has no form for, and takes integers of any size. */
function write(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? finiteNumeral(value) : String(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return value === true || value === false ? String(value) : "null";
  const pairs = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${pairs.map(([key, inner]) => `${JSON.stringify(key)}: ${write(inner)}`).join(", ")}}`;
}

function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
