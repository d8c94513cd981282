import type { z } from "zod";

const LEFT_OUT = /^… [\d.,]+ of [\d.,]+ left out …$/;

/**
 * The bounded output of a tool as an object of its schema: what bounding put in the place of entries goes again, and
 * `cut` still says that this is a part.
 */
export function conform(output: string, schema: z.ZodType): Record<string, unknown> {
  const told = withoutMarks(JSON.parse(output)) as Record<string, unknown>;
  if (told.kind === "error" && told.traceback === undefined) told.traceback = `${told.name}: ${told.message}`;
  if (schema.safeParse(told).success) return told;
  const message = typeof told.cut === "string" ? told.cut : "The output has a form that cannot be told.";
  const short = { kind: "text", text: message };
  if (schema.safeParse(short).success) return short;
  return { kind: "error", name: "OutputTooLong", message, traceback: `OutputTooLong: ${message}` };
}

/** In a list of text the mark is text like the rest. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) {
    const marks = value.filter((entry) => typeof entry === "string");
    const foreign = marks.length === 1 && value.length > 1;
    return value
      .filter((entry) => !(foreign && typeof entry === "string" && LEFT_OUT.test(entry)))
      .map(withoutMarks);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]));
}
