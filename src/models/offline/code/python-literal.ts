/** Control characters, line separators, direction marks and lone surrogates: what could hide or end a line of code. */
const UNSAFE =
  /[\\"\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

export type Literal =
  | string
  | number
  | boolean
  | null
  | readonly Literal[]
  | { readonly [key: string]: Literal };

/** The one way in which data gets into code: a Python literal on one line. */
export function py(value: Literal): string {
  if (value === null) return "None";
  if (typeof value === "string") return `"${value.replace(UNSAFE, escaped)}"`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numberLiteral(value);
  if (Array.isArray(value)) return `[${value.map(py).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${py(key)}: ${py(inner)}`);
  return `{${pairs.join(", ")}}`;
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

function numberLiteral(value: number): string {
  return Number.isFinite(value)
    ? String(value)
    : `float("${Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf"}")`;
}
