import type { SetupProgress } from "../environment/environment.ts";

const WORDS: readonly [pattern: RegExp, step: string][] = [
  [/^(?:Step \d+\/\d+ : |#\d+ \[[^\]]*\] )(FROM .*)/, "Fetching the base"],
  [/(?:^|\s)Collecting (\S+)/, "Fetching packages"],
  [/(?:^|\s)Downloading (\S+)/, "Fetching packages"],
  [/(?:^|\s)(Installing collected packages)/, "Installing packages"],
  [/(?:Step \d+\/\d+ : |\] )(COPY kernel)/, "Adding the kernel"],
];

/** What a line of the engine's build says to somebody who waits; most say nothing. */
export function progressOf(line: string): SetupProgress | undefined {
  for (const [pattern, step] of WORDS) {
    const found = pattern.exec(line)?.[1];
    if (found) return { step, detail: found.slice(0, 200) };
  }
  return undefined;
}
