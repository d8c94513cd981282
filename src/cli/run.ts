// read the command line and every cell → open a session → copy data in → run cell by cell → copy files out

import { type Glovebox, openGlovebox } from "../compose.ts";
import { defaultLimits } from "../config.ts";
import type { CellResult } from "../protocol/result.ts";
import type { Session } from "../session/session.ts";
import { readCells } from "./cell-sources.ts";
import { CellView, endedWell } from "./cell-view.ts";
import { copyIn, type DataFile, findDataFiles } from "./data-files.ts";
import { Ending } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { jsonLine } from "./json-line.ts";
import { MadeFiles } from "./made-files.ts";
import { OutFolder } from "./out-folder.ts";
import { Progress } from "./progress.ts";
import { reportError } from "./report-error.ts";
import { type RunRequest, readRunRequest } from "./run-request.ts";
import { reportSetup } from "./setup-progress.ts";
import { showDrawnPictures, showMadeFiles, showSavedFiles } from "./show-files.ts";
import type { Terminal } from "./terminal.ts";

interface Work {
  readonly request: RunRequest;
  readonly cells: readonly string[];
  readonly data: readonly DataFile[];
  readonly out: OutFolder | undefined;
  readonly terminal: Terminal;
  readonly ending: Ending;
}

export async function run(args: string[], terminal: Terminal): Promise<number> {
  const request = readRunRequest(args);
  using ending = new Ending(terminal);
  try {
    const cells = await readCells(request.cells, ending.signal);
    const data = await findDataFiles(request.data, request.limits.workBytes ?? defaultLimits.workBytes);
    const out = request.out === undefined ? undefined : await OutFolder.open(request.out);
    return await work({ request, cells, data, out, terminal, ending });
  } catch (error) {
    if (ending.status !== undefined) return ending.status;
    throw error;
  }
}

async function work(task: Work): Promise<number> {
  const { request, terminal, ending } = task;
  const progress = new Progress(terminal.stderr);
  let close = async () => {};
  try {
    progress.wait("Starting the sandbox");
    const box = await openGlovebox({
      ...request.walls,
      limits: request.limits,
      pool: 0,
      signal: ending.signal,
      onProgress: (step) => reportSetup(progress, step),
    });
    close = closeOnce(box);
    ending.onForce(close);
    ending.throwIfAsked();
    const session = await box.session();
    // Connected before the first cell, so that an interrupt always finds it.
    await session.walls();
    await copyIn(session, task.data, progress, ending.signal);
    ending.throwIfAsked();
    progress.stop();
    const made = task.out && (await MadeFiles.watch(session));
    const status = await runCells(session, task);
    const savedWell = !made || !task.out || (await save(made, task.out, task));
    if (ending.status !== undefined) return ending.status;
    return status === exitStatus.well && !savedWell ? exitStatus.failed : status;
  } finally {
    progress.stop();
    await close();
  }
}

async function runCells(session: Session, task: Work): Promise<number> {
  const { request, terminal, ending } = task;
  let status: number = exitStatus.well;
  let made = 0;
  for (const code of task.cells) {
    if (ending.status !== undefined) break;
    const result = request.json
      ? await runForPrograms(session, code, task)
      : await runForPeople(session, code, task);
    made += result.files?.length ?? 0;
    if (endedWell(result)) continue;
    status ||= statusOfFailure(result);
    if (!request.keepGoing) break;
  }
  if (made > 0 && !task.out && !request.json) {
    const { stderr } = terminal;
    stderr.line(stderr.paint("dim", "These files go with the session; --out DIR keeps what the cells make."));
  }
  if (terminal.stdout.isTerminal) terminal.stdout.startLine();
  return status;
}

async function runForPrograms(
  session: Session,
  code: string,
  { terminal, ending }: Work,
): Promise<CellResult> {
  const result = await session.run(code, { signal: ending.signal });
  const { displays: _, ...told } = result;
  terminal.stdout.write(jsonLine(told));
  return result;
}

async function runForPeople(session: Session, code: string, task: Work): Promise<CellResult> {
  const { terminal, ending } = task;
  const view = new CellView(terminal);
  const result = await session.run(code, { signal: ending.signal, onEvent: (event) => view.take(event) });
  view.finish(result);
  await showDrawnPictures(session, result, terminal);
  if (!task.out) showMadeFiles(result, terminal.stderr);
  return result;
}

async function save(made: MadeFiles, out: OutFolder, { request, terminal }: Work): Promise<boolean> {
  const progress = new Progress(terminal.stderr);
  const mostBytes = request.limits.workBytes ?? defaultLimits.workBytes;
  const { saved, problems } = await made.saveTo(out, mostBytes, progress).finally(() => progress.stop());
  if (!request.json) showSavedFiles(saved, terminal.stderr);
  for (const problem of problems) reportError(problem, terminal, request);
  return problems.length === 0;
}

function statusOfFailure(result: CellResult): number {
  const overTime = result.kind === "error" && result.name === "TimeLimit";
  return overTime ? exitStatus.timeLimit : exitStatus.failed;
}

function closeOnce(box: Glovebox): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= box.close();
    return closing;
  };
}
