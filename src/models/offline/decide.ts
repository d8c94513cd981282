// list the files → load the tables that may be meant → look at the columns of the one that is → look words up →
// run the analysis → write the answer. Every step is found again from what was said so far.
import { analysisFor } from "./analyses/all.ts";
import { type CallRole, lookupRole, profileRole, roleOfCall } from "./call-ids.ts";
import { identifierFor } from "./code/identifier.ts";
import { lookupCell, unlistedColumns } from "./code/lookup-cell.ts";
import { MOST_COLUMNS, profileCell } from "./code/profile-cell.ts";
import {
  type CallRecord,
  type ConversationState,
  type FileEntry,
  LIST_TOOL,
  LOAD_TOOL,
  type LoadedTable,
  PYTHON_TOOL,
  type Turn,
} from "./conversation-state.ts";
import * as reply from "./replies.ts";
import type { Table } from "./table.ts";
import { answerable } from "./understanding/answerable.ts";
import { isNamed, relevance, type TableNames } from "./understanding/choose-table.ts";
import { FILLERS } from "./understanding/cues.ts";
import type { Frame } from "./understanding/frame.ts";
import { understand } from "./understanding/understand.ts";
import { wordsOf } from "./understanding/words.ts";

export interface PlannedCall {
  readonly role: CallRole;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type Decision = { readonly calls: readonly PlannedCall[] } | { readonly answer: string };

/** Calls a turn, whatever happens. */
export const MOST_CALLS = 6;
const MOST_LOADS = 3;
const MOST_WORDS = 400;
const GREETING =
  /^\s*(?:hi|hello|hey|help|thanks|thank you|good (?:morning|evening|day)|what can you do|who are you|what are you|how do you work)\b.{0,40}$/is;

export function decide(state: ConversationState, tools: ReadonlySet<string>): Decision {
  const turn = state.turns.at(-1);
  if (!turn) return { answer: reply.help(undefined) };
  if (GREETING.test(turn.question))
    return { answer: reply.help(state.tables.findLast(({ profiled }) => profiled)?.profiled) };
  const lacking = [PYTHON_TOOL, LIST_TOOL, LOAD_TOOL].find((name) => !tools.has(name));
  if (lacking) return { answer: reply.withoutTool(lacking) };
  const next = step(state, turn);
  const calls = "calls" in next ? next.calls.length : 0;
  return turn.calls.length + calls > MOST_CALLS ? { answer: reply.tooManyCalls() } : next;
}

function step(state: ConversationState, turn: Turn): Decision {
  const listed = turn.calls.findLast(({ name }) => name === LIST_TOOL);
  if (!listed && (!state.files || turn.hasContext)) return list();
  if (!state.files) return { answer: reply.failedCell(listed?.output, "list the files") };
  if (state.files.length === 0) return listed ? { answer: reply.noTables() } : list();

  const questions = state.turns.map(({ question }) => question.split(/\s+/).slice(0, MOST_WORDS).join(" "));
  const wanted = wantedFiles(state, questions);
  const failures = failedLoads(turn);
  const toLoad = wanted.filter(
    ({ handle, modified }) =>
      !state.tables.some((table) => table.handle === handle && table.modified === modified) &&
      !failures.some((failure) => failure.handle === handle),
  );
  if (toLoad.length > 0 && !turn.calls.some(isSecondLoad(toLoad)))
    return { calls: loads(toLoad, state.tables) };
  const loaded = byRelevance(
    state.tables.filter(({ handle }) => wanted.some((file) => file.handle === handle)),
    questions,
  )[0];
  if (!loaded) return { answer: reply.notLoaded(state.files, failures) };
  return onTable(state, turn, loaded, questionsAbout(loaded, state.tables, questions));
}

function onTable(
  state: ConversationState,
  turn: Turn,
  loaded: LoadedTable,
  questions: readonly string[],
): Decision {
  const words = contentWords(questions.at(-1) ?? "");
  const looked = callOf(turn, profileRole(loaded.df));
  const stale = loaded.profiled && loaded.columnCount > MOST_COLUMNS && !looked;
  if (!loaded.profiled && looked)
    return { answer: reply.failedCell(looked.output, "look at the columns of the table") };
  if (!loaded.profiled || stale)
    return python(
      profileRole(loaded.df),
      `Look at the columns of ${loaded.handle}`,
      profileCell(loaded.df, words),
    );

  const table: Table = loaded.profiled;
  if (table.columns.length === 0)
    return { answer: reply.closed({ answer: `The table \`${table.df}\` has no columns that I can read.` }) };
  const frame = understand(questions, table);
  const unlisted = unlistedColumns(table);
  if (frame.unknown.length > 0 && unlisted.length > 0 && !callOf(turn, lookupRole(table.df))) {
    const unknown = frame.unknown.map(({ text }) => text).slice(0, 12);
    return python(
      lookupRole(table.df),
      "See whether the question names a value of the table",
      lookupCell(table, unlisted, unknown),
    );
  }
  return answerFrom(state, turn, table, frame);
}

function answerFrom(state: ConversationState, turn: Turn, table: Table, frame: Frame): Decision {
  const analysis = analysisFor(frame);
  const trouble = answerable(frame, analysis?.name);
  if (trouble || !analysis) return { answer: reply.notUnderstood(table, trouble) };
  const plan = analysis.plan(frame);
  const tables = state.files?.length ?? 1;
  if ("refused" in plan) return { answer: reply.notUnderstood(table, plan.refused) };
  const run = callOf(turn, "answer");
  if (!run) return python("answer", plan.intent, `${fontNote(table)}${plan.code}`);
  const answer = run.output?.kind === "error" ? undefined : plan.answer(run.output?.json);
  if (answer === undefined) return { answer: reply.failedCell(run.output, "work that out") };
  return { answer: reply.closed({ answer, table, tables, frame }) };
}

/** Characters that the charts' font lacks are drawn as boxes; a warning for each would bury the rest. */
function fontNote({ columns }: Table): string {
  const texts = columns.flatMap(({ key, values }) => [key, ...values]);
  if (!texts.some((text) => /[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufaff]/.test(String(text)))) return "";
  return `import warnings\n\nwarnings.filterwarnings("ignore", message=".*[Gg]lyph")\n`;
}

function list(): Decision {
  return { calls: [{ role: "list", tool: LIST_TOOL, arguments: {} }] };
}

function python(role: CallRole, intent: string, code: string): Decision {
  return { calls: [{ role, tool: PYTHON_TOOL, arguments: { intent, code } }] };
}

function loads(files: readonly FileEntry[], tables: readonly LoadedTable[]): PlannedCall[] {
  const again = (handle: string) => files.some((file) => file.handle === handle);
  const taken = new Set(tables.filter(({ handle }) => !again(handle)).map(({ df }) => df));
  return files.map(({ handle }) => {
    const df = identifierFor(handle, taken);
    taken.add(df);
    return { role: "load", tool: LOAD_TOOL, arguments: { name: handle, df_name: df } };
  });
}

/** The files to know about before the table is chosen: the one that is named, or the likeliest few. */
function wantedFiles(
  { files = [], tables }: ConversationState,
  questions: readonly string[],
): readonly FileEntry[] {
  if (files.length <= 1) return files;
  const question = questions.at(-1) ?? "";
  const known = files.map((file) => {
    const table = tables.find(({ handle }) => handle === file.handle);
    return { ...file, ...table, modified: file.modified };
  });
  const named = known.filter(({ handle }) => isNamed(question, handle));
  if (named.length === 1) return named;
  const ranked = byRelevance(known, questions);
  return ranked.slice(0, known.every(({ columns }) => columns.length > 0) ? 1 : MOST_LOADS);
}

/** What the last question is about comes first; where it does not say, what the ones before were about. */
function byRelevance<Names extends TableNames>(
  tables: readonly Names[],
  questions: readonly string[],
): Names[] {
  const [last = "", ...before] = questions.toReversed();
  const score = (table: Names) =>
    relevance(last, table) +
    relevance(before[0] ?? "", table) * 0.01 +
    relevance(before.join(" "), table) * 0.0001;
  return [...tables].sort((a, b) => score(b) - score(a));
}

/** The last questions that are about this table: what was asked of another one is not carried on. */
function questionsAbout(
  table: LoadedTable,
  tables: readonly LoadedTable[],
  questions: readonly string[],
): string[] {
  const others = (count: number) => byRelevance(tables, questions.slice(0, count))[0] !== table;
  let first = questions.length - 1;
  while (first > 0 && !others(first)) first--;
  return questions.slice(first);
}

function failedLoads(turn: Turn): { handle: string; output: CallRecord["output"] }[] {
  return turn.calls.flatMap(({ name, arguments: { name: handle }, output }) =>
    name === LOAD_TOOL && output?.kind !== "dataframe" && typeof handle === "string"
      ? [{ handle, output }]
      : [],
  );
}

/** A table that was lost within the turn is loaded again once. */
function isSecondLoad(
  files: readonly FileEntry[],
): (call: CallRecord, index: number, all: readonly CallRecord[]) => boolean {
  const count = (calls: readonly CallRecord[], handle: string) =>
    calls.filter((call) => call.name === LOAD_TOOL && call.arguments.name === handle).length;
  return (_, __, all) => files.some(({ handle }) => count(all, handle) > 1);
}

/** The last call of this turn with a role; after a reload only what came later counts. */
function callOf(turn: Turn, role: CallRole): CallRecord | undefined {
  const reloaded = turn.calls.findLastIndex(({ name }) => name === LOAD_TOOL);
  return turn.calls.slice(reloaded + 1).findLast(({ callId }) => roleOfCall(callId) === role);
}

function contentWords(question: string): string[] {
  return wordsOf(question)
    .map(({ text }) => text)
    .filter((text) => text.length > 2 && !FILLERS.has(text));
}
