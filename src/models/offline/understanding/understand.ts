import type { Table } from "../table.ts";
import { carriedOn, isFollowUp } from "./follow-up.ts";
import type { Frame } from "./frame.ts";
import { readQuestion } from "./read-question.ts";

/** What the last question asks of the table, on top of those before it. */
export function understand(questions: readonly string[], table: Table): Frame {
  let before: Frame | undefined;
  for (const question of questions) {
    const now = readQuestion(question, table);
    before = before && isFollowUp(question, now) ? carriedOn(before, now) : now;
  }
  return before ?? readQuestion("", table);
}
