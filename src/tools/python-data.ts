interface Words {
  readonly true: string;
  readonly false: string;
  readonly null: string;
  number(value: number): string;
}

/** JSON as Python's reader takes it: it has words for the numbers that JSON itself has no form for. */
const json: Words = { true: "true", false: "false", null: "null", number: encodeNumber };
const source: Words = {
  true: "True",
  false: "False",
  null: "None",
  number: (value) => (Number.isFinite(value) ? encodeNumber(value) : `float("${value}")`),
};

/** A value as pure data in Python code: JSON inside a string of plain ASCII, to be read with json.loads. */
export function pythonData(value: unknown): string {
  return JSON.stringify(ascii(write(value, json)));
}

/** A value as a person would write it in Python. */
export function pythonLiteral(value: unknown): string {
  return write(value, source);
}

function write(value: unknown, words: Words): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return words.number(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "boolean") return value ? words.true : words.false;
  if (Array.isArray(value)) return `[${value.map((inner) => write(inner, words)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return words.null;
  const pairs = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${pairs.map(([key, inner]) => `${JSON.stringify(key)}: ${write(inner, words)}`).join(", ")}}`;
}

function encodeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  // Python reads digits as an exact integer, which a double of this size is not.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  return String(value);
}

function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
