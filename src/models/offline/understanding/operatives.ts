import type { Doubt, Frame } from "./frame.ts";
import type { Word } from "./words.ts";

interface Operative {
  /** Over the free words, in lower case and one space apart. */
  readonly phrase: RegExp;
  /** Whether the analysis does what the word asks for. */
  served(frame: Frame, analysis: string): boolean;
}

const never = () => false;
const ORDINALS = "second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth";

/** Words that change what is asked: an answer without them would be one to another question. */
const OPERATIVES: readonly Operative[] = [
  {
    phrase: /\b(?:grew|grow|grows|growing|grown|growth|change|changes|changed|shrank|shrunk|declined)\b/g,
    served: ({ order, groups, cues }, analysis) =>
      ["influence", "factors", "correlations"].includes(analysis) ||
      (analysis === "trend" && !order && groups.length === 0 && !cues.has("share")),
  },
  {
    phrase: new RegExp(`\\b(?:${ORDINALS}|\\d+ (?:st|nd|rd|th)|runner up|penultimate)\\b`, "g"),
    served: never,
  },
  { phrase: /\bweekends?\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/g, served: never },
  {
    phrase: /(?<!\b(?:by|per|across|among|which|what|each|every|between|over) )\bweekdays\b/g,
    served: never,
  },
  { phrase: /\b(?:cumulative|cumulatively|cumulated|running|rolling|moving|consecutive)\b/g, served: never },
  { phrase: /\bratios?\b(?=.* to\b)|\b(?:divided|minus|multiplied|squared)\b/g, served: never },
  { phrase: /\bratios?\b/g, served: (_, analysis) => analysis === "share" },
  {
    phrase: /\b(?:not|without|except|excluding|outside|never|neither|nor|\w+n't)\b/g,
    served: ({ filters }, analysis) =>
      analysis === "missing" ||
      analysis === "duplicates" ||
      filters.some((filter) => filter.kind === "is" && filter.not),
  },
  {
    phrase:
      /\b(?:last|past|previous|latest|recent|current|today|yesterday)\b|\bthis (?:week|month|quarter|year)\b/g,
    served: never,
  },
];

/** The operative words of a question that no column, value or period has taken. */
export function findOperatives(words: readonly Word[], isFree: (index: number) => boolean): Doubt[] {
  const text = words.map((word, index) => (isFree(index) ? word.text : "\u0001")).join(" ");
  return OPERATIVES.flatMap(({ phrase, served }) =>
    [...text.matchAll(phrase)].map(([said]) => ({
      why: `I did not understand that: I do not know what to do with “${said.replace(/^(\d+) /, "$1")}” here, and an answer without it would be one to another question.`,
      served,
    })),
  );
}
