const invisible = /[\p{Mn}\p{Me}\p{Cf}]/u;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal the text takes. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, or as much of its start as fits, closed with an ellipsis. */
export function clipToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let room = columns - 1;
  for (const character of text) {
    room -= characterWidth(character);
    if (room < 0) break;
    kept += character;
  }
  return columns > 0 ? `${kept}…` : "";
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - displayWidth(text))) + text;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}

export function characterWidth(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
