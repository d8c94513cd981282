/** How much of a tool's output a model reads, unless it is told otherwise. */
export const OUTPUT_BYTES = 8 * 1024;

const SHORTEST_TEXT = 40;
const FEWEST_ENTRIES = 2;

export interface Bounded {
  /** Valid JSON of an object, at most so many bytes. */
  readonly text: string;
  readonly cut: boolean;
}

interface Caps {
  readonly characters: number;
  readonly entries: number;
}

/**
 * The one place that bounds what a model reads: always a JSON object. What is too long is cut in the middle, and `cut`
 * says how much is missing and how to see it.
 */
export function boundOutput(
  message: string | Readonly<Record<string, unknown>>,
  limits: { bytes?: number; hint?: string } = {},
): Bounded {
  const bytes = limits.bytes ?? OUTPUT_BYTES;
  const whole = typeof message === "string" ? { kind: "text", text: message } : message;
  const text = toJson(whole);
  const size = Buffer.byteLength(text);
  if (size <= bytes) return { text, cut: false };
  const cut = `This is a part: ${size.toLocaleString("en")} bytes were cut to ${bytes.toLocaleString("en")}. ${limits.hint ?? HINT}`;
  // What is known as plain JSON again has no surprises left.
  const plain = JSON.parse(text) as unknown;
  for (let caps: Caps = { characters: bytes, entries: 256 }; ; caps = smaller(caps)) {
    const told = toJson({ ...(shrink(plain, caps) as object), cut });
    if (Buffer.byteLength(told) <= bytes) return { text: told, cut: true };
    if (caps.characters <= SHORTEST_TEXT && caps.entries <= FEWEST_ENTRIES) break;
  }
  return { text: toJson({ kind: kindOf(plain), cut }), cut: true };
}

const HINT =
  "To see the rest, ask for less at a time: a slice, fewer columns, an aggregate, or a part of the file.";

function smaller({ characters, entries }: Caps): Caps {
  return {
    characters: Math.max(SHORTEST_TEXT, Math.floor(characters * 0.7)),
    entries: Math.max(FEWEST_ENTRIES, Math.floor(entries * 0.7)),
  };
}

function shrink(value: unknown, caps: Caps): unknown {
  if (typeof value === "string") return cutText(value, caps.characters);
  if (Array.isArray(value)) return cutList(value, caps);
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value);
  const kept = pairs.slice(0, Math.max(caps.entries, 8));
  const shrunk = kept.map(([key, inner]) => [cutText(key, caps.characters), shrink(inner, caps)]);
  if (kept.length < pairs.length) shrunk.push(["…", `${pairs.length - kept.length} more keys`]);
  return Object.fromEntries(shrunk);
}

function cutList(list: readonly unknown[], caps: Caps): unknown[] {
  if (list.length <= caps.entries) return list.map((entry) => shrink(entry, caps));
  const head = Math.ceil(caps.entries / 2);
  const tail = caps.entries - head;
  const missing = list.length - caps.entries;
  return [
    ...list.slice(0, head).map((entry) => shrink(entry, caps)),
    `… ${missing.toLocaleString("en")} of ${list.length.toLocaleString("en")} left out …`,
    ...list.slice(list.length - tail).map((entry) => shrink(entry, caps)),
  ];
}

/** Cuts the middle out, between whole characters. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, onBoundary(text, half));
  const tail = text.slice(onBoundary(text, text.length - half));
  const missing = text.length - head.length - tail.length;
  return `${head}… ${missing.toLocaleString("en")} characters left out …${tail}`;
}

function onBoundary(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

function kindOf(value: unknown): string {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return typeof kind === "string" && kind.length <= 20 ? kind : "object";
}

/** JSON of anything: what a tool of somebody's own gives may have cycles, big integers or a throwing toJSON. */
function toJson(value: unknown): string {
  const above: unknown[] = [];
  function plain(this: unknown, _: string, inner: unknown): unknown {
    if (typeof inner === "bigint") return inner.toString();
    if (typeof inner === "number" && !Number.isFinite(inner)) return String(inner);
    if (typeof inner === "function" || typeof inner === "symbol") return String(inner);
    if (typeof inner === "string") return inner.isWellFormed() ? inner : inner.toWellFormed();
    if (typeof inner !== "object" || inner === null) return inner;
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(inner)) return "[circular]";
    above.push(inner);
    if (inner instanceof Map) return Object.fromEntries(inner);
    if (inner instanceof Set) return [...inner];
    return inner;
  }
  try {
    return JSON.stringify(value, plain);
  } catch {
    return JSON.stringify({ kind: "object", repr: `[a value without a form in JSON]` });
  }
}
