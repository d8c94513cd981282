import type { Column } from "../table.ts";
import type { Mention } from "./column-matching.ts";
import type { Cue } from "./cues.ts";
import type { Word } from "./words.ts";

export interface Roles {
  readonly metric: Column | undefined;
  readonly others: readonly Column[];
  readonly groups: readonly Column[];
  readonly time: Column | undefined;
}

export interface RoleParts {
  readonly words: readonly Word[];
  readonly mentions: readonly Mention[];
  readonly cues: ReadonlySet<Cue>;
  /** Groups that are known from their values. */
  readonly shown: readonly Column[];
  /** The number that the table seems to be about. */
  readonly main: Column | undefined;
}

const GROUP_LEADS = /^(?:by|per|across|among|each|every|within)$/;
/** "in the rain", "at what time", "with bad pavement": where something is judged, these make the groups. */
const CONDITION_LEADS = /^(?:in|with|during|when|under|at|what|which)$/;
const ARTICLES =
  /^(?:the|a|an|all|our|my|their|its|different|various|individual|bad|good|high|low|heavy|poor|strong|more|less)$/;

type Role = "group" | "metric" | "time";

/** Which of the columns named is measured, and which make the groups. */
export function assignRoles(parts: RoleParts): Roles {
  const { mentions, cues } = parts;
  const numbers = unique(mentions.map(({ column }) => column)).filter(({ kind }) => kind === "number");
  const related =
    cues.has("influence") ||
    cues.has("correlation") ||
    cues.has("change") ||
    (cues.has("compare") && numbers.length === 2);
  const roles = mentions.map((mention, index) => ({
    column: mention.column,
    role: roleOf(mention, index, parts),
  }));
  const measured = unique(roles.filter(({ role }) => role === "metric").map(({ column }) => column));
  const groups = unique([
    ...roles.filter(({ role }) => role === "group").map(({ column }) => column),
    ...parts.shown,
  ]);
  const time = roles.find(({ role }) => role === "time")?.column;
  if (related && mentions.length >= 2) return relation(parts);
  const metric = measured.find(({ kind }) => kind === "number") ?? measured[0];
  const others = measured.filter((column) => column !== metric);
  return {
    metric,
    others: others.filter(({ kind }) => kind !== "boolean"),
    groups: unique([...groups, ...others.filter(({ kind }) => kind === "boolean")]).filter(
      (column) => column !== metric,
    ),
    time,
  };
}

function roleOf(mention: Mention, index: number, parts: RoleParts): Role {
  const { column } = mention;
  const { words, mentions, cues } = parts;
  if (column.kind === "date") return "time";
  const lead = leadOf(words, mention.from);
  const ranked = cues.has("highest") || cues.has("lowest");
  if (GROUP_LEADS.test(lead)) {
    const only = !mentions.some(({ column: other }) => other.kind === "number" && other !== column);
    return column.kind === "number" && ranked && only ? "metric" : "group";
  }
  const another = mentions.some(({ column: other }) => other.kind === "number" && other !== column);
  const judged = cues.has("risk") || (ranked && another);
  if (column.kind === "number" && judged && CONDITION_LEADS.test(lead)) return "group";
  const before = mentions[index - 1];
  const between = before ? words.slice(before.to, mention.from).map(({ text }) => text) : undefined;
  const chained = between?.every((text) => text === "and" || ARTICLES.test(text)) ?? false;
  if (before && chained && column.kind !== "number" && roleOf(before, index - 1, parts) === "group")
    return "group";
  return column.kind === "number" || column.kind === "boolean" ? "metric" : "group";
}

/** The word before, without articles. */
function leadOf(words: readonly Word[], from: number): string {
  return words.slice(0, from).findLast(({ text }) => !ARTICLES.test(text))?.text ?? "";
}

/** Of two columns in relation, which is the effect: "X influences Y", "Y depends on X", "effect of X on Y". */
function relation({ words, mentions, main }: RoleParts): Roles {
  const columns = unique(mentions.map(({ column }) => column));
  const [first, ...rest] = columns;
  const texts = words.map(({ text }) => text).join(" ");
  const reversed =
    /\b(?:depend\w*|influenced|affected|impacted|caused|explained|driven|determined)(?: \w+)? (?:on|by|upon)\b/.test(
      texts,
    );
  const symmetric = /\b(?:vs|versus|relat\w*|correlat\w*|between)\b/.test(texts);
  const last = rest.findLast(({ kind }) => kind === "number" || kind === "boolean") ?? rest.at(-1);
  const effect = symmetric && main && columns.includes(main) ? main : reversed ? first : last;
  return {
    metric: effect,
    others: columns.filter((column) => column !== effect),
    groups: [],
    time: undefined,
  };
}

function unique(columns: readonly Column[]): Column[] {
  return [...new Set(columns)];
}
