import type { Token, Tokens } from "marked";
import type { Style } from "../colour.ts";
import { prose } from "../safe-text.ts";
import { linkTarget } from "./links.ts";
import { BREAK, type Span } from "./spans.ts";
import type { Writing } from "./writing.ts";

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  times: "×",
};
const emphasis: Readonly<Record<string, Style>> = { strong: "bold", em: "italic", del: "strike" };
const MOST_DEPTH = 20;

/** The words inside a block, style by style. */
export function inlineSpans(
  tokens: readonly Token[],
  writing: Writing,
  styles: readonly Style[] = [],
  depth = 0,
): Span[] {
  return tokens.flatMap((token) => spansOf(token as Tokens.Generic, writing, styles, depth));
}

function spansOf(token: Tokens.Generic, writing: Writing, styles: readonly Style[], depth: number): Span[] {
  const plain = (text: string): Span[] =>
    text === "" ? [] : [{ text: prose(decodeEntities(text)), styles }];
  const inner = (more: readonly Style[]) =>
    token.tokens && depth < MOST_DEPTH
      ? inlineSpans(token.tokens, writing, [...styles, ...more], depth + 1)
      : plain(String(token.text ?? token.raw));
  switch (token.type) {
    case "br":
      return [BREAK];
    case "codespan":
      return [
        writing.colour
          ? { text: prose(String(token.text)), styles: [...styles, "cyan"] }
          : { text: prose(`\`${token.text}\``), styles },
      ];
    case "link":
      return link(token as Tokens.Link, inner(["underline"]), writing, styles);
    case "image":
      return link(token as Tokens.Image, plain(token.text ? String(token.text) : "picture"), writing, styles);
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? [BREAK] : plain(token.raw);
    case "escape":
      return [{ text: prose(String(token.text)), styles }];
    case "checkbox":
      return [];
    default: {
      const style = emphasis[token.type];
      return inner(style ? [style] : []);
    }
  }
}

/** The address is always there to read: a link's text may say anything. */
function link(
  token: Tokens.Link | Tokens.Image,
  text: readonly Span[],
  writing: Writing,
  styles: readonly Style[],
): Span[] {
  const { shown, href } = linkTarget(decodeEntities(token.href), writing.locate);
  const led = text.map((span) => (href && span !== BREAK ? { ...span, link: href } : span));
  const said = text.map((span) => span.text).join("");
  if (said === shown || `mailto:${said}` === shown || `http://${said}` === shown) return led;
  const address: Span = {
    text: prose(`(${shown})`),
    styles: [...styles, "dim"],
    ...(href ? { link: href } : {}),
  };
  return [...led, { text: " ", styles }, address];
}

export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return named[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
