import type { Frame } from "./frame.ts";
import { nameStems } from "./words.ts";

const GENERIC_TIMES = new Set("dat day tim month year timestamp week datetim".split(" "));

/** "hires per year" counts what a date stands for; "by date" does not. */
export function isEvent({ metric, named, time, aggregate }: Frame): boolean {
  if (metric || named === 0 || aggregate !== undefined || time?.kind !== "date") return false;
  return !nameStems(time.name).some((stem) => GENERIC_TIMES.has(stem));
}
