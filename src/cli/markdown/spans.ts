import type { Style } from "../colour.ts";
import { characterWidth, displayWidth } from "../display-width.ts";
import type { Writing } from "./writing.ts";

/** A stretch of text in one style. Its text is safe and without line ends; a break is a span of its own. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
  /** Where it leads to; checked and escaped already. */
  readonly link?: string;
}
export type SpanLine = readonly Span[];

export const BREAK: Span = { text: "\n", styles: [] };

/** Fills lines of a width with words; a word that is too long for a line is broken. */
export function wrapSpans(spans: readonly Span[], columns: number): SpanLine[] {
  const most = Math.max(1, columns);
  const lines: Span[][] = [[]];
  let width = 0;
  let gap: Span | undefined;
  const newLine = () => {
    lines.push([]);
    width = 0;
    gap = undefined;
  };
  for (const word of words(spans)) {
    if (word === "break") newLine();
    else if (word === "gap") gap = width > 0 ? { text: " ", styles: [] } : undefined;
    else {
      const wanted = word.reduce((sum, span) => sum + displayWidth(span.text), 0);
      if (width > 0 && width + (gap ? 1 : 0) + wanted > most && wanted <= most) newLine();
      if (gap && width + 1 >= most) newLine();
      if (gap) {
        lines.at(-1)?.push(inheritGap(lines.at(-1)?.at(-1), word[0]));
        width += 1;
      }
      gap = undefined;
      for (const part of word.flatMap((span) => splitToFit(span, most, () => width))) {
        const partWidth = displayWidth(part.text);
        if (width > 0 && width + partWidth > most) newLine();
        lines.at(-1)?.push(part);
        width += partWidth;
      }
    }
  }
  return lines;
}

export function paintSpans(line: SpanLine, { paint, links }: Writing): string {
  return joined(line)
    .map(({ text, styles, link }) => {
      const painted = styles.reduce((inner, style) => paint(style, inner), text);
      return links && link ? hyperlink(link, painted) : painted;
    })
    .join("");
}

/** Text that a terminal opens on a click. The address must be escaped already. */
export function hyperlink(href: string, text: string): string {
  return `\x1b]8;;${href}\x1b\\${text}\x1b]8;;\x1b\\`;
}

export function widthOfSpans(line: SpanLine): number {
  return line.reduce((sum, span) => sum + displayWidth(span.text), 0);
}

type Word = Span[] | "gap" | "break";

/** Pieces of different styles without a space between them are one word. */
function* words(spans: readonly Span[]): Generator<Word> {
  let word: Span[] = [];
  for (const span of spans) {
    if (span === BREAK) {
      if (word.length > 0) yield word;
      word = [];
      yield "break";
      continue;
    }
    for (const [piece] of span.text.matchAll(/ +|[^ ]+/g)) {
      if (piece.startsWith(" ")) {
        if (word.length > 0) yield word;
        word = [];
        yield "gap";
      } else word.push({ ...span, text: piece });
    }
  }
  if (word.length > 0) yield word;
}

/** A space between two spans of one kind belongs to them. */
function inheritGap(before: Span | undefined, after: Span | undefined): Span {
  return before && after && alike(before, after) ? { ...before, text: " " } : { text: " ", styles: [] };
}

function joined(line: SpanLine): Span[] {
  const spans: Span[] = [];
  for (const span of line) {
    const last = spans.at(-1);
    if (last && alike(last, span)) spans[spans.length - 1] = { ...last, text: last.text + span.text };
    else spans.push(span);
  }
  return spans;
}

function alike(one: Span, other: Span): boolean {
  return one.link === other.link && String(one.styles) === String(other.styles);
}

function splitToFit(span: Span, most: number, taken: () => number): Span[] {
  if (displayWidth(span.text) <= most) return [span];
  const parts: Span[] = [];
  let text = "";
  let width = taken();
  for (const character of span.text) {
    const wanted = characterWidth(character);
    if (width + wanted > most && width > 0) {
      if (text !== "") parts.push({ ...span, text });
      text = "";
      width = 0;
    }
    text += character;
    width += wanted;
  }
  return [...parts, { ...span, text }];
}
