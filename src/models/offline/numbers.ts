const MINUS = "−";

/** A number as a person writes it: grouped thousands, and no more digits than tell something. */
export function num(value: number | null | undefined, digits?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "n/a";
  const size = Math.abs(value);
  const places =
    digits ??
    (Number.isInteger(value) ? 0 : size >= 1_000_000 ? 0 : size >= 10 ? 2 : size >= 0.01 ? 3 : undefined);
  if (places === undefined || size >= 1e15) return signed(value.toPrecision(3));
  return signed(
    value.toLocaleString("en-US", { maximumFractionDigits: places, minimumFractionDigits: digits ?? 0 }),
  );
}

export function count(value: number): string {
  return num(Math.round(value));
}

export function percent(share: number | null | undefined, digits = 1): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "n/a";
  return `${num(Number((share * 100).toFixed(digits)))} %`;
}

/** "p < 0.001" or "p = 0.03". */
export function pValue(p: number | null | undefined): string {
  if (p === null || p === undefined || !Number.isFinite(p)) return "p unknown";
  return p < 0.001 ? "p < 0.001" : `p = ${num(p, p < 0.1 ? 3 : 2)}`;
}

/** "1 row", "2 rows". */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** How strong a correlation is, in a word. */
export function strength(r: number): string {
  const size = Math.abs(r);
  if (size >= 0.7) return "strong";
  if (size >= 0.4) return "moderate";
  if (size >= 0.2) return "weak";
  return "very weak";
}

function signed(text: string): string {
  return text.replace("-", MINUS);
}
