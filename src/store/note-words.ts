/** Scripts that put no spaces between words: each of their characters counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const SYMBOL = /\p{So}/gu;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}\p{So}]+/gu;
/** A longer question is searched for by its first words. */
const MOST_TERMS = 48;

/** Text as the full-text index takes it, so that its tokenizer finds the words of every script, and emoji. */
export function indexedText(text: string): string {
  return text.toWellFormed().replace(UNSPACED, " $& ").replace(SYMBOL, " $& ");
}

/** A full-text expression for any words somebody asks for, or nothing where there are none. Better matches come first. */
export function matchExpression(query: string): string | undefined {
  const words = query.toWellFormed().match(WORD) ?? [];
  const terms = new Set(words.flatMap(termsOf));
  if (terms.size === 0) return undefined;
  return [...terms].slice(0, MOST_TERMS).join(" OR ");
}

/** A word is one term; a run of characters without spaces is a term for each two neighbours in it. */
function termsOf(word: string): string[] {
  const parts = indexedText(word).split(" ").filter(Boolean);
  const terms: string[] = [];
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const previous = parts[index - 1];
    if (isUnspaced(part) && next !== undefined && isUnspaced(next)) terms.push(`"${part} ${next}"`);
    else if (!isUnspaced(part) || previous === undefined || !isUnspaced(previous)) terms.push(`"${part}"`);
  }
  return terms;
}

function isUnspaced(part: string): boolean {
  return part.search(UNSPACED) === 0;
}
