/** Quotes and backslashes, and what could hide or end a line of code: control and direction marks, lone surrogates. */
const UNSAFE =
  /[\\"\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

export type PythonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly PythonValue[]
  | { readonly [key: string]: PythonValue };

/** The one way in which data gets into code: a Python literal on one line. Whatever a string holds, it stays a string. */
export function pythonLiteral(value: PythonValue): string {
  if (value === null) return "None";
  if (typeof value === "string") return `"${value.replace(UNSAFE, escaped)}"`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numeral(value);
  if (typeof value === "bigint") return value.toString();
  if (isList(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${pythonLiteral(key)}: ${pythonLiteral(inner)}`);
  return `{${pairs.join(", ")}}`;
}

/** A number as Python and its reader of JSON take it, but for those without digits. */
export function finiteNumeral(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  // Digits alone would be an exact integer, which a double of this size is not.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function isList(value: PythonValue): value is readonly PythonValue[] {
  return Array.isArray(value);
}

function numeral(value: number): string {
  if (Number.isFinite(value)) return finiteNumeral(value);
  return `float("${Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf"}")`;
}

function escaped(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
