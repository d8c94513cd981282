export type PythonValue =
  | string
  | number
  | boolean
  | null
  | readonly PythonValue[]
  | { readonly [key: string]: PythonValue };

/** A value as Python source, in plain ASCII: whatever a string holds, it stays a string. */
export function pythonLiteral(value: PythonValue): string {
  if (value === null) return "None";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numeral(value);
  if (isList(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, inner]) => `${quoted(key)}: ${pythonLiteral(inner)}`)
    .join(", ")}}`;
}

function isList(value: PythonValue): value is readonly PythonValue[] {
  return Array.isArray(value);
}

function numeral(value: number): string {
  if (Number.isNaN(value)) return 'float("nan")';
  if (!Number.isFinite(value)) return value > 0 ? 'float("inf")' : 'float("-inf")';
  if (Object.is(value, -0)) return "-0.0";
  // Digits alone would be an exact integer, which a double of this size is not.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function quoted(text: string): string {
  const inner = text.replace(/["\\]|[^\x20-\x7e]/gu, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${inner}"`;
}
