import { displayWidth } from "./display-width.ts";

/** Breaks safe text without colours between its words; a word too long for a line is left to the terminal. */
export function wrapWords(text: string, columns: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(/ +/)) {
      const last = lines.at(-1);
      if (last === undefined || displayWidth(last) + 1 + displayWidth(word) > columns) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines;
  });
}
