import type { Cue } from "./cues.ts";
import type { Filter, Frame } from "./frame.ts";

const OPENING =
  /^\s*(?:and|now|then|also|what about|how about|same|only|just|instead|but|or|by|per|for|in|as|with|without|excluding|except)\b/i;
const WHOLE_SENTENCE =
  /^\s*(?:how|what|when|where|who|is|are|do|does|did|show|give|plot|draw|list|compare|describe|tell|find|which (?!is|was|are|one|were))/i;
const MOST_WORDS = 8;

/** Cues that ask for something new on their own. */
const WHOLE: readonly Cue[] = [
  "describe",
  "head",
  "factors",
  "missing",
  "duplicates",
  "outliers",
  "correlation",
  "risk",
  "influence",
  "help",
];

/** Whether a question leans on the one before it: "and by month?", "what about the South?", "now the median". */
export function isFollowUp(question: string, frame: Frame): boolean {
  const words = question.trim().split(/\s+/).length;
  const says =
    frame.metric ||
    frame.groups.length > 0 ||
    frame.filters.length > 0 ||
    frame.grain ||
    frame.aggregate ||
    frame.top !== undefined ||
    frame.pair ||
    frame.order ||
    frame.cues.size > 0;
  if (!says) return false;
  if (OPENING.test(question) && words <= 12)
    return !WHOLE.some((cue) => frame.cues.has(cue)) || !frame.metric;
  return (
    words <= MOST_WORDS &&
    !WHOLE_SENTENCE.test(question) &&
    (frame.named === 0 || (frame.named === frame.filters.length && !frame.time)) &&
    !frame.cues.has("rows") &&
    !WHOLE.some((cue) => frame.cues.has(cue))
  );
}

/** The question before, with what this one changes. */
export function carriedOn(before: Frame, now: Frame): Frame {
  const asks = ANALYSIS_CUES.some((cue) => now.cues.has(cue));
  const kept = asks ? [...now.cues] : [...before.cues, ...now.cues];
  const dropped = new Set<Cue>(now.aggregate ? AGGREGATE_CUES.filter((cue) => !now.cues.has(cue)) : []);
  if (now.order === "lowest") dropped.add("highest");
  if (now.order === "highest") dropped.add("lowest");
  if (now.grain || now.groups.length > 0)
    for (const cue of OVERRIDDEN) if (!now.cues.has(cue)) dropped.add(cue);
  const timeFree = now.groups.length > 0 && !now.grain && !now.time;
  return {
    ...before,
    cues: new Set(kept.filter((cue) => !dropped.has(cue))),
    metric: now.metric ?? before.metric,
    metricNamed: now.metricNamed || before.metricNamed,
    others: now.others.length > 0 ? now.others : now.metric ? [] : before.others,
    aggregate: now.aggregate ?? before.aggregate,
    groups: now.groups.length > 0 ? now.groups : now.grain ? [] : before.groups,
    filters: mergedFilters(before.filters, now.filters),
    pair: now.pair ?? (now.groups.length > 0 || now.grain ? undefined : before.pair),
    time: now.time ?? (timeFree ? undefined : before.time),
    grain: now.grain ?? (timeFree ? undefined : before.grain),
    top: now.top ?? before.top,
    order: now.order ?? before.order,
    said: now.aggregate || now.said.size > 0 ? now.said : before.said,
    unknown: now.unknown,
    doubts: now.doubts,
  };
}

const AGGREGATE_CUES: readonly Cue[] = [
  "mean",
  "median",
  "sum",
  "min",
  "max",
  "std",
  "count",
  "distinct",
  "rows",
];
const ANALYSIS_CUES: readonly Cue[] = [
  "describe",
  "head",
  "factors",
  "influence",
  "correlation",
  "risk",
  "trend",
  "distribution",
  "missing",
  "outliers",
  "duplicates",
  "compare",
  "share",
];

/** What is no longer meant once other groups or a grain are asked for. */
const OVERRIDDEN: readonly Cue[] = [
  "trend",
  "distribution",
  "factors",
  "influence",
  "correlation",
  "outliers",
  "missing",
  "describe",
];

/** A new condition takes the place of one about the same column. */
function mergedFilters(before: readonly Filter[], now: readonly Filter[]): Filter[] {
  const about = new Set(now.map(({ column }) => column));
  return [...before.filter(({ column }) => !about.has(column)), ...now];
}
