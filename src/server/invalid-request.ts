import type { z } from "zod";
import { WireError } from "./wire-error.ts";

type Issue = z.core.$ZodIssue;

const MOST_SHOWN = 100;

/** What a schema says about a request, in the words that OpenAI's API has for it. */
export function invalidRequest(error: z.ZodError): WireError {
  const issue = deepest(error.issues[0] as Issue);
  const param = pathOf(issue.path);
  const { message, code } = explain(issue, param);
  return new WireError({ status: 400, message, code, param: param || null });
}

/**
 * Of a union's branches the one that was nearly right: it is at fault the furthest in, or takes such a value but not
 * this one.
 */
function deepest(issue: Issue): Issue {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const inner = issue.errors
    .flat()
    .map((each) => deepest({ ...each, path: [...issue.path, ...each.path] } as Issue));
  const [best] = inner.sort((a, b) => b.path.length - a.path.length);
  if (best && best.path.length > issue.path.length) return best;
  return inner.find((each) => each.code !== "invalid_type") ?? issue;
}

function explain(issue: Issue, param: string): { message: string; code: string } {
  const where = param === "" ? "the body" : `'${param}'`;
  const input = inputOf(issue);
  if (input === undefined && issue.code !== "unrecognized_keys" && param !== "") {
    return { message: `Missing required parameter: '${param}'.`, code: "missing_required_parameter" };
  }
  switch (issue.code) {
    case "invalid_type":
      return wrongType(where, [issue.expected], input);
    case "invalid_value":
      return wrongValue(where, issue.values, input);
    case "invalid_union": {
      if (issue.discriminator !== undefined) return wrongValue(where, optionsOf(issue), input);
      const types = issue.errors
        .flat()
        .flatMap((each) => (each.code === "invalid_type" ? [each.expected] : []));
      return wrongType(where, [...new Set(types)], input);
    }
    default:
      return { message: `Invalid value for ${where}: ${issue.message}.`, code: "invalid_value" };
  }
}

/** The value at the issue's path; of a union that is told apart by a field, that field's. */
function inputOf(issue: Issue): unknown {
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return issue.input;
  return (issue.input as Readonly<Record<string, unknown>> | undefined)?.[issue.discriminator];
}

function optionsOf(issue: Extract<Issue, { code: "invalid_union" }>): readonly unknown[] {
  return "options" in issue ? (issue.options ?? []) : [];
}

function wrongType(where: string, expected: readonly string[], input: unknown) {
  const wanted = expected.map(withArticle).join(" or ");
  return {
    message: `Invalid type for ${where}: expected ${wanted}, but got ${kindOf(input)} instead.`,
    code: "invalid_type",
  };
}

function wrongValue(where: string, values: readonly unknown[], input: unknown) {
  const known = values.map((value) => `'${String(value)}'`).join(", ");
  return {
    message: `Invalid value: ${shown(input)} for ${where}. Supported values are: ${known}.`,
    code: "invalid_value",
  };
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : `${at > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (Number.isNaN(value)) return "something that is no number";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return withArticle(typeof value);
}

function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}

function shown(value: unknown): string {
  if (typeof value === "object") return kindOf(value);
  const text = typeof value === "string" ? `'${value}'` : String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}…` : text;
}
