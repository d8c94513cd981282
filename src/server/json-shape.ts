/** Deeper than any schema or tool needs, and far from where a recursion ends. */
const MOST_DEPTH = 256;
/** A few bytes of text become many of objects, and more of complaints about them. */
const MOST_VALUES = 250_000;

const BACKSLASH = 0x5c;

/** What is wrong with the shape of JSON, known before any of it is made; undefined where nothing is. */
export function shapeFault(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case "{":
      case "[":
        depth += 1;
        values += 1;
        if (depth > MOST_DEPTH) return `it is nested more than ${MOST_DEPTH} deep`;
        break;
      case "}":
      case "]":
        depth -= 1;
        break;
      case ",":
        values += 1;
    }
    if (values > MOST_VALUES) return `it has more than ${MOST_VALUES} values`;
  }
  return undefined;
}

/** Where the string ends that begins there; the end of the text where it does not. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
