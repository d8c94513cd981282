import type { TurnEnding } from "../../protocol/events.ts";

const words: Readonly<Record<Exclude<TurnEnding, "answer">, string>> = {
  steps:
    "Stopped: the turn took more steps than it may. Ask again to go on from here, or ask for less at once.",
  tokens:
    "Stopped: the turn used more tokens than it may. Ask again to go on from here, or ask for less at once.",
  time: "Stopped: the turn took longer than it may. Ask again to go on from here, or ask for less at once.",
  length: "The answer is cut: it reached the longest that the model writes. Ask for the rest.",
  "content-filter": "The model's provider filtered the answer. Ask in other words, or take another model.",
  "client-calls": "Stopped: the model called functions that are not run here.",
  aborted: "Stopped.",
  failed: "There is no answer.",
};

/** Why a turn ended without its answer, and what to do. */
export function endingInWords(reason: TurnEnding): string | undefined {
  return reason === "answer" ? undefined : words[reason];
}
