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

/** Of a union's branches the one that was nearly right: it is at fault the furthest in. */
function deepest(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flat().map((each) => {
    const found = deepest({ ...each, path: [...issue.path, ...each.path] } as Issue);
    return found;
  });
  const [best] = inner.sort((a, b) => b.path.length - a.path.length);
  return best && best.path.length > issue.path.length ? best : issue;
}

function explain(issue: Issue, param: string): { message: string; code: string } {
  const where = param === "" ? "the body" : `'${param}'`;
  if (issue.input === undefined && issue.code !== "unrecognized_keys" && param !== "") {
    return { message: `Missing required parameter: '${param}'.`, code: "missing_required_parameter" };
  }
  switch (issue.code) {
    case "invalid_type":
      return {
        message: `Invalid type for ${where}: expected ${withArticle(issue.expected)}, but got ${kindOf(issue.input)} instead.`,
        code: "invalid_type",
      };
    case "invalid_value":
      return {
        message: `Invalid value: ${shown(issue.input)} for ${where}. Supported values are: ${issue.values.map((value) => `'${String(value)}'`).join(", ")}.`,
        code: "invalid_value",
      };
    default:
      return { message: `Invalid value for ${where}: ${issue.message}.`, code: "invalid_value" };
  }
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : `${at > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
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
