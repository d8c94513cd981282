import { code, listed, plain } from "../markdown.ts";
import type { Frame, UnknownWord } from "./frame.ts";

/** Analyses of the whole table: no column need be named. */
const WHOLE_TABLE = new Set(["describe", "missing", "duplicates", "outliers", "correlations"]);

/** Why the question had better not be answered, or undefined: half understood is not understood. */
export function answerable(frame: Frame, analysis: string | undefined): string | undefined {
  const { unknown, cues } = frame;
  if (cues.has("beyond"))
    return "That is more than I can do: I look at the data that is there, and do not forecast, advise, change files or know about anything else.";
  const doubt = frame.doubts.find(({ served }) => !served(frame, analysis ?? ""));
  if (doubt) return doubt.why;
  const misplaced = unknown.filter(({ place }) => place !== "other");
  if (misplaced.length > 0) return inWords(misplaced, frame);
  if (!analysis) return unknown.length > 0 ? inWords(unknown, frame) : undefined;
  if (unknown.length === 0) return undefined;
  const named =
    frame.metricNamed || frame.groups.length > 0 || frame.filters.length > 0 || frame.pair !== undefined;
  const countsRows = cues.has("rows");
  if (!named && !WHOLE_TABLE.has(analysis) && !countsRows) return inWords(unknown, frame);
  // "average salary by region" without a column of salaries must not become the average of something else.
  const needsMetric =
    frame.aggregate !== undefined &&
    frame.aggregate !== "count" &&
    !frame.metricNamed &&
    !WHOLE_TABLE.has(analysis);
  const mostlyUnknown = unknown.length > 1 && unknown.length > frame.named;
  if (needsMetric || mostlyUnknown || unknown.length > 3) return inWords(unknown, frame);
  return undefined;
}

function inWords(words: readonly UnknownWord[], { table }: Frame): string {
  const said = listed([...new Set(words.map(({ text }) => `“${plain(text)}”`))].slice(0, 5));
  const every = (place: UnknownWord["place"]) => words.every((word) => word.place === place);
  const found = every("group") ? "no column" : every("value") ? "no value and no column" : "nothing";
  return `I did not understand that: I find ${found} for ${said} in ${code(table.handle)}.`;
}
