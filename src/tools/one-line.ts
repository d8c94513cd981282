const MOST_CHARACTERS = 100;

/** Text as the one line that a person sees of a call. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MOST_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim();
  const whole = text.length <= 4 * MOST_CHARACTERS && line.length <= MOST_CHARACTERS;
  return whole ? line : `${line.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
}
