import type { TurnResult } from "../../agent/agent.ts";
import type { TurnEnding } from "../../protocol/events.ts";
import { exitStatus } from "../exit-status.ts";

const byReason: Readonly<Record<TurnEnding, number>> = {
  answer: exitStatus.well,
  steps: exitStatus.failed,
  tokens: exitStatus.failed,
  length: exitStatus.failed,
  failed: exitStatus.failed,
  time: exitStatus.timeLimit,
  "content-filter": exitStatus.noModel,
  "client-calls": exitStatus.failed,
  aborted: exitStatus.interrupted,
};

export function statusOfTurn({ reason, answer }: Pick<TurnResult, "reason" | "answer">): number {
  if (reason === "answer" && answer.trim() === "") return exitStatus.failed;
  return byReason[reason];
}
