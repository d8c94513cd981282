export interface Word {
  /** Lower case, without accents. */
  readonly text: string;
  readonly stem: string;
  readonly raw: string;
}

const TOKEN =
  /\d{4}-\d{1,2}-\d{1,2}|\d{4}-\d{2}(?!\d)|\d[\d,]*(?:\.\d+)?%?|\p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?|[<>]=?|=/gu;

/** The words of a question, in order; the parts of traffic_fine_amount and pricePerUnit are words of their own. */
export function wordsOf(question: string): Word[] {
  const spaced = splitCase(question.slice(0, 4000)).replace(/[_\s]+/g, " ");
  return [...spaced.matchAll(TOKEN)].map(([raw]) => {
    const text = withoutGenitive(folded(raw));
    return { text, stem: stem(text), raw };
  });
}

/** The stems that a name is made of. */
export function nameStems(name: string): string[] {
  const parts = splitCase(name).match(/\p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?|\p{N}+/gu) ?? [];
  return parts.map((part) => stem(withoutGenitive(folded(part))));
}

function withoutGenitive(text: string): string {
  return text.replaceAll("’", "'").replace(/'s$/, "");
}

export function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function splitCase(text: string): string {
  return text.replace(/(\p{Ll}|\p{N})(\p{Lu}\p{Ll})/gu, "$1 $2").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(ss|x|z|ch|sh)es$/, "$1"],
  [/ies$/, "y"],
  [/([^su])s$/, "$1"],
  [/([a-z]{4,})ing$/, "$1"],
  [/([a-z]{4,})ed$/, "$1"],
  [/([a-z]{4,})ly$/, "$1"],
  [/([a-z]{4,})e$/, "$1"],
  [/([a-z]{3,})y$/, "$1i"],
];

/** A light stemmer: enough to make singular and plural, verb and noun meet. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  return ENDINGS.reduce((text, [ending, kept]) => text.replace(ending, kept), word);
}

/** How alike two stems are, from 0 to 1. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= 4 && long.startsWith(short)) return long.length - short.length <= 3 ? 0.85 : 0.7;
  if (short.length >= 5 && long.length - short.length <= 1 && withinOneEdit(short, long)) return 0.65;
  return 0;
}

function withinOneEdit(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return (
    short.slice(at + 1) === long.slice(at + 1) || (swapped && short.slice(at + 2) === long.slice(at + 2))
  );
}
