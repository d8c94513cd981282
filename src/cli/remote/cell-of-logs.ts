import type { PythonResult } from "../../protocol/result.ts";

/** What was streamed while the cell ran. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

const NOTHING = "Code executed. No return value.";
const RAISED = /^(?:Traceback \(most recent call last\):| {2}File ")/;
const LAST_WORDS = /^((?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: (.*))?$/;

/** A cell's result as far as the logs of a call tell it: what it printed first, then its value or its traceback. */
export function cellOfLogs(logs: string, { stdout, stderr }: Printed): PythonResult {
  const shown = withoutPrefix(withoutPrefix(logs, stdout), stderr);
  // Where the server cut what was printed, all that follows the cut belongs to it.
  const cut = stdout !== "" && !logs.startsWith(trimmed(stdout));
  const printed = cut ? stdout + afterCommon(logs, stdout) : stdout;
  const rest = cut ? "" : shown;
  const beside = stderr === "" ? {} : { stderr };
  if (rest === "") return { kind: "text", text: printed === "" ? NOTHING : printed, ...beside };
  const both = { ...(printed === "" ? {} : { stdout: printed }), ...beside };
  const raised = RAISED.test(rest) ? lastWords(rest) : undefined;
  if (raised) return { kind: "error", ...raised, traceback: rest, ...both };
  return { kind: "object", repr: rest, ...both };
}

function lastWords(traceback: string): { name: string; message: string } | undefined {
  const lines = traceback.split("\n");
  const at = lines.findLastIndex((line) => LAST_WORDS.test(line));
  const [, name, first = ""] = LAST_WORDS.exec(lines[at] ?? "") ?? [];
  return name === undefined ? undefined : { name, message: [first, ...lines.slice(at + 1)].join("\n") };
}

function withoutPrefix(text: string, prefix: string): string {
  const plain = trimmed(prefix);
  return plain !== "" && text.startsWith(plain) ? text.slice(plain.length).replace(/^\n/, "") : text;
}

function trimmed(text: string): string {
  return text.replace(/\n$/, "");
}

function afterCommon(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return text.slice(at);
}
