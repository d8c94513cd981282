import { stripVTControlCharacters } from "node:util";

export interface SplitLogs {
  readonly stdout: string;
  /** The traceback that the logs end in; empty where the code ran through. */
  readonly stderr: string;
}

const IPYTHON_HEADER = /^[A-Za-z_][\w.]*\s+Traceback \(most recent call last\)\s*$/;
const PLAIN_HEADER = /^\s*(?:\+ )?(?:Exception Group )?Traceback \(most recent call last\):\s*$/;
const RULE = /^-{20,}\s*$/;
const EXCEPTION = /^[A-Za-z_][\w.]*(?::\s.*|:)?$/;
const SYNTAX_ERROR = /^(?:SyntaxError|IndentationError|TabError|_IncompleteInputError):/;
const SYNTAX_PLACE = /^\s*(?:Cell In\s?\[\d+\], line \d+|File .+, line \d+|File .+:\d+)/;
const CHAINED = /^(?:During handling of the above exception|The above exception was the direct cause)/;

/** Parts what was printed from the traceback at its end: the provider gives both as one text. */
export function splitLogs(logs: string): SplitLogs {
  const text = stripVTControlCharacters(logs).replaceAll("\r\n", "\n");
  const lines = text.split("\n");
  const start = tracebackStart(lines);
  if (start === undefined) return { stdout: text, stderr: "" };
  const stdout = lines.slice(0, start).join("\n");
  return { stdout: start > 0 ? `${stdout}\n` : "", stderr: lines.slice(start).join("\n").trim() };
}

function tracebackStart(lines: readonly string[]): number | undefined {
  const last = lines.findLastIndex((line) => IPYTHON_HEADER.test(line) || PLAIN_HEADER.test(line));
  const header = lines[last];
  // IPython writes its own form only for what ended the cell; Python's own form may also have been printed and survived.
  if (header !== undefined && (IPYTHON_HEADER.test(header) || endsInException(lines.slice(last + 1)))) {
    return firstOfChain(lines, last);
  }
  return syntaxErrorStart(lines);
}

/** Whether indented frames, then one exception, are all that follows a header. */
function endsInException(body: readonly string[]): boolean {
  const exception = body.findIndex((line) => line !== "" && !/^\s/.test(line) && !/^\s*[|+]/.test(line));
  if (exception < 1) return body.some((line) => /^\s*\|/.test(line));
  if (!EXCEPTION.test(body[exception] ?? "")) return false;
  return body.slice(exception + 1).every((line) => line.trim() === "" || /^\s/.test(line));
}

/** A chain of exceptions is shown whole: back over the headers that are joined to this one. */
function firstOfChain(lines: readonly string[], header: number): number {
  let start = header;
  for (;;) {
    const rule = lines[start - 1];
    if (rule !== undefined && RULE.test(rule)) start--;
    let above = start - 1;
    while (above >= 0 && lines[above]?.trim() === "") above--;
    if (!CHAINED.test(lines[above] ?? "")) return start;
    const earlier = lines.findLastIndex(
      (line, index) => index < above && (IPYTHON_HEADER.test(line) || PLAIN_HEADER.test(line)),
    );
    if (earlier < 0) return start;
    start = earlier;
  }
}

/** Code that could not be compiled is reported without a header. */
function syntaxErrorStart(lines: readonly string[]): number | undefined {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (!SYNTAX_ERROR.test(lines[last] ?? "")) return undefined;
  const place = lines.findLastIndex((line, index) => index < last && SYNTAX_PLACE.test(line));
  return place < 0 || last - place > 4 ? undefined : place;
}
