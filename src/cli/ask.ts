// read the command line and the question → open the analyst, here or at a server → show the turn while it goes → save files → leave
import type { TurnResult } from "../agent/agent.ts";
import { GloveboxError } from "../errors.ts";
import { type AskRequest, readAskRequest } from "./ask-request.ts";
import { readCells } from "./cell-sources.ts";
import { Ending } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { jsonLine } from "./json-line.ts";
import { relinkMarkdown } from "./markdown/links.ts";
import type { OpenAnalyst } from "./open-analyst.ts";
import { OutFolder } from "./out-folder.ts";
import type { OpenRemote } from "./remote/open-remote.ts";
import { reportError } from "./report-error.ts";
import { SafeText } from "./safe-text.ts";
import { type SavedTurnFile, saveTurnFiles } from "./save-files.ts";
import { tableAsCsv } from "./table-csv.ts";
import type { Terminal } from "./terminal.ts";
import { endingInWords } from "./turn/ending-words.ts";
import { statusOfTurn } from "./turn/turn-status.ts";
import { TurnView } from "./turn/turn-view.ts";

type Open = OpenAnalyst | OpenRemote;

interface Work {
  readonly request: AskRequest;
  readonly question: string;
  readonly out: OutFolder | undefined;
  readonly terminal: Terminal;
  readonly ending: Ending;
}

export async function ask(args: string[], terminal: Terminal): Promise<number> {
  const request = readAskRequest(args);
  using ending = new Ending(terminal);
  try {
    const question = request.question ?? (await readQuestion(ending.signal));
    const out = request.out === undefined ? undefined : await OutFolder.open(request.out);
    return await work({ request, question, out, terminal, ending });
  } catch (error) {
    if (ending.status === undefined) throw error;
    if (request.format === "json") {
      reportError(new GloveboxError("aborted", "Stopped before there was an answer."), terminal, {
        json: true,
      });
    }
    return ending.status;
  }
}

async function readQuestion(signal: AbortSignal): Promise<string> {
  const missing = 'There is no question; give one in quotes: glovebox ask sales.csv "What is in here?"';
  if (process.stdin.isTTY) throw new GloveboxError("usage", missing);
  const [question = ""] = await readCells(["stdin"], signal);
  if (question.trim() === "") throw new GloveboxError("usage", missing);
  return question.trim();
}

async function work(task: Work): Promise<number> {
  const { request, terminal, ending } = task;
  await using open = await openFor(task);
  const answering = request.format === "json" ? quietly(open, task) : forPeople(open, task);
  const turn = await answering.finally(() => open.remember());
  const missing = "bring" in open ? await open.bring(turn, ending.signal) : [];
  const saving = await saveTurnFiles(turn, open.kept, task.out);
  const { files } = saving;
  const problems = [...missing, ...saving.problems];
  if (request.format === "json") terminal.stdout.write(jsonLine(forPrograms(turn, files, open)));
  if (request.format === "csv" && "session" in open) await writeCsv(turn, open, task);
  for (const problem of problems) reportError(problem, terminal, { json: false });
  if (turn.reason === "aborted" && request.format === "md" && (await open.remember())) {
    const { stderr } = terminal;
    const goOn = "goOn" in open ? open.goOn : "glovebox chat -c";
    stderr.line(stderr.paint("dim", `Session kept. Continue: ${goOn}`));
  }
  if (ending.status !== undefined) return ending.status;
  const status = statusOfTurn(turn);
  return status === exitStatus.well && problems.length > 0 ? exitStatus.failed : status;
}

/** Only the code of the one way is loaded. */
async function openFor(task: Work): Promise<Open> {
  const { paths, server } = task.request;
  if (server) return (await import("./remote/open-remote.ts")).openRemote({ ...task, paths, server });
  return (await import("./open-analyst.ts")).openAnalyst({ ...task, paths });
}

/** Where stdout is for a table, the answer is said beside it. */
async function forPeople(open: Open, task: Work): Promise<TurnResult> {
  const { question, request, terminal, ending } = task;
  const screen = request.format === "csv" ? { ...terminal, stdout: terminal.stderr } : terminal;
  using view = new TurnView(screen, open.look);
  const turn = await open.analyst.ask(question, {
    signal: ending.signal,
    onEvent: (event) => view.take(event),
  });
  view.finish(turn);
  return turn;
}

function quietly(open: Open, { question, ending }: Work): Promise<TurnResult> {
  return open.analyst.ask(question, { signal: ending.signal });
}

async function writeCsv(turn: TurnResult, open: OpenAnalyst, { terminal, ending }: Work): Promise<void> {
  if (turn.reason === "aborted") return;
  const { stdout } = terminal;
  for await (const part of tableAsCsv(turn, open.session, ending.signal)) {
    stdout.write(stdout.isTerminal ? SafeText.whole(part) : part);
  }
}

function forPrograms(turn: TurnResult, files: readonly SavedTurnFile[], open: Open): object {
  const why = endingInWords(turn.reason);
  return {
    answer: relinkMarkdown(turn.answer, open.look.locate),
    model: turn.model,
    cells: turn.cells.map(({ code, intent, result: { displays: _, ...result } }) => ({
      code,
      ...(intent === undefined ? {} : { intent }),
      result,
    })),
    files,
    usage: turn.usage,
    session: turn.session,
    ...(why ? { error: { code: turn.reason, message: why } } : {}),
  };
}
