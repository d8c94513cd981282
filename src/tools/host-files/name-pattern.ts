/** Whether a path contains the pattern, whatever the case; * stands for any characters, ? for one. Never slow. */
export function matchesName(path: string, pattern: string): boolean {
  const text = [...path.toLowerCase()];
  const wanted = ["*", ...pattern.toLowerCase(), "*"];
  let at = 0;
  let next = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    const sign = wanted[next];
    if (sign === "*") {
      star = next++;
      resumeAt = at;
    } else if (sign === "?" || sign === text[at]) {
      next++;
      at++;
    } else {
      // Only the last star can still give way.
      next = star + 1;
      at = ++resumeAt;
    }
  }
  while (wanted[next] === "*") next++;
  return next === wanted.length;
}
