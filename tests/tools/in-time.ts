import { runInNewContext } from "node:vm";

const PATIENCE_MS = 30_000;

/** What work without waits comes to; ended where it would take minutes or hours. */
export function inTime<Value>(work: () => Value): Value {
  return runInNewContext("work()", { work }, { timeout: PATIENCE_MS }) as Value;
}
