import { characterWidth } from "./display-width.ts";

const ESCAPE = "\x1b";
const RESET = "\x1b[0m";
const colourCode = new RegExp(`${ESCAPE}\\[[0-9;:]*m`, "y");
const resetCode = new RegExp(`^${ESCAPE}\\[0*m$`);
const TAB = 8;

/** Breaks a line that may carry colours into rows of a width; a colour that is on goes on in the next row. */
export function wrapStyled(text: string, columns: number): string[] {
  const most = Math.max(1, columns);
  const rows: string[] = [];
  let row = "";
  let width = 0;
  let active = "";
  for (const piece of pieces(text)) {
    if (piece.startsWith(ESCAPE)) {
      row += piece;
      active = resetCode.test(piece) ? "" : active + piece;
      continue;
    }
    const shown = piece === "\t" ? " ".repeat(TAB - (width % TAB)) : piece;
    const wanted = piece === "\t" ? shown.length : characterWidth(piece);
    if (width + wanted > most && width > 0) {
      rows.push(active === "" ? row : row + RESET);
      row = active;
      width = 0;
    }
    row += shown.slice(0, piece === "\t" ? most : undefined);
    width += wanted;
  }
  rows.push(active === "" ? row : row + RESET);
  return rows;
}

/** As much of the line as fits, closed with an ellipsis where something is missing. */
export function clipStyled(text: string, columns: number): string {
  const [first = "", ...rest] = wrapStyled(text, columns);
  if (rest.length === 0) return first;
  return `${wrapStyled(text, columns - 1)[0] ?? ""}…`;
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    colourCode.lastIndex = at;
    const code = text[at] === ESCAPE ? colourCode.exec(text)?.[0] : undefined;
    const piece = code ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    yield piece;
    at += piece.length;
  }
}
