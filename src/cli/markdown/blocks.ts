import type { Token, Tokens } from "marked";
import { SafeText } from "../safe-text.ts";
import { wrapStyled } from "../styled-lines.ts";
import { inlineSpans } from "./inline.ts";
import { paintSpans, type Span, wrapSpans } from "./spans.ts";
import { tableLines } from "./table.ts";
import type { Writing } from "./writing.ts";

const LONGEST_RULE = 40;
const NARROWEST = 10;
const MOST_DEPTH = 12;

/** Blocks as lines of a terminal, with an empty line between two of them. */
export function blockLines(tokens: readonly Token[], writing: Writing, depth = 0): string[] {
  const blocks = tokens.map((token) => linesOf(token as Tokens.Generic, writing, depth));
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, number) => (number > 0 ? ["", ...lines] : lines));
}

function linesOf(token: Tokens.Generic, writing: Writing, depth: number): string[] {
  if (depth > MOST_DEPTH) return filled([{ text: token.raw.replace(/\s+/g, " "), styles: [] }], writing);
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return heading(token as Tokens.Heading, writing);
    case "code":
      return code(token as Tokens.Code, writing);
    case "blockquote": {
      const bar = writing.paint("dim", "│ ");
      return blockLines(token.tokens ?? [], narrower(writing, 2), depth + 1).map((line) => bar + line);
    }
    case "list":
      return list(token as Tokens.List, writing, depth);
    case "table":
      return tableLines(token as Tokens.Table, writing);
    case "hr":
      return [writing.paint("dim", "─".repeat(Math.min(writing.columns, LONGEST_RULE)))];
    case "html":
      return lines(token.raw).flatMap((line) => wrapStyled(SafeText.whole(line), writing.columns));
    default:
      return filled(inlineSpans(token.tokens ?? [token], writing, [], depth), writing);
  }
}

function heading(token: Tokens.Heading, writing: Writing): string[] {
  const mark: Span[] = writing.colour ? [] : [{ text: `${"#".repeat(token.depth)} `, styles: [] }];
  const styles = token.depth <= 2 ? (["bold", "underline"] as const) : (["bold"] as const);
  return filled([...mark, ...inlineSpans(token.tokens, writing, styles)], writing);
}

function code(token: Tokens.Code, writing: Writing): string[] {
  const language = /^\s*(\w+)/.exec(token.lang ?? "")?.[1] ?? "";
  const safe = lines(token.text)
    .map((line) => SafeText.whole(line))
    .join("\n");
  const coloured = writing.highlight(safe, language === "py" ? "python" : language, writing.paint);
  return lines(coloured).flatMap((line) => wrapStyled(line, writing.columns - 2).map((row) => `  ${row}`));
}

function list(token: Tokens.List, writing: Writing, depth: number): string[] {
  const first = Number(token.start) || 1;
  const widest = token.ordered ? `${first + token.items.length - 1}. `.length : 2;
  return token.items.flatMap((item, at) => {
    const bullet = token.ordered ? `${first + at}. `.padStart(widest) : item.task ? "" : "• ";
    const mark = item.task ? `${bullet}${item.checked ? "☑" : "☐"} ` : bullet;
    const inner = blockLinesOfItem(item, narrower(writing, mark.length), depth);
    const [head = "", ...rest] = inner;
    const body = [mark + head, ...rest.map((line) => (line === "" ? "" : " ".repeat(mark.length) + line))];
    return item.loose && at > 0 ? ["", ...body] : body;
  });
}

/** In a tight list a list inside an item follows its words without an empty line. */
function blockLinesOfItem(item: Tokens.ListItem, writing: Writing, depth: number): string[] {
  const tokens = item.tokens.filter((token) => token.type !== "checkbox");
  if (item.loose) return blockLines(tokens, writing, depth + 1);
  return tokens.flatMap((token) => blockLines([token], writing, depth + 1));
}

function filled(spans: readonly Span[], writing: Writing): string[] {
  return wrapSpans(spans, writing.columns).map((line) => paintSpans(line, writing));
}

function narrower(writing: Writing, by: number): Writing {
  return { ...writing, columns: Math.max(NARROWEST, writing.columns - by) };
}

function lines(text: string): string[] {
  return text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
}
