// read the command line → open the analyst → [read a question or command → answer it]… → say how to go on
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ReadStream } from "node:tty";
import { gloveboxHome } from "../config.ts";
import { ChatTurns } from "./chat/chat-turns.ts";
import { complete } from "./chat/completion.ts";
import { HistoryFile } from "./chat/history-file.ts";
import { Interrupts } from "./chat/interrupts.ts";
import { Prompt } from "./chat/prompt.ts";
import { commandNames, isQuit } from "./chat/slash-commands.ts";
import { type ChatRequest, readChatRequest } from "./chat-request.ts";
import { Ending } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { type OpenAnalyst, openAnalyst } from "./open-analyst.ts";
import { OutFolder } from "./out-folder.ts";
import { oneLine } from "./safe-text.ts";
import type { Terminal } from "./terminal.ts";

export async function chat(args: string[], terminal: Terminal): Promise<number> {
  const request = readChatRequest(args);
  using ending = new Ending(terminal);
  try {
    const out = request.out === undefined ? undefined : await OutFolder.open(request.out);
    await using open = await openAnalyst({ request, paths: request.paths, out, terminal, ending });
    ending.leaveInterrupts();
    return await converse(open, { request, out, terminal });
  } catch (error) {
    if (ending.status !== undefined) return ending.status;
    throw error;
  }
}

interface Work {
  readonly request: ChatRequest;
  readonly out: OutFolder | undefined;
  readonly terminal: Terminal;
}

async function converse(open: OpenAnalyst, { request, out, terminal }: Work): Promise<number> {
  const { stderr, stdout } = terminal;
  const interrupts = new Interrupts({
    kill: () => void open.session.interrupt({ kill: true }),
    now: () => performance.now(),
  });
  const turns = new ChatTurns({ open, out, terminal, interrupts });
  const atTerminal = process.stdin.isTTY && (stderr.canRedraw || stdout.canRedraw);
  const status = atTerminal
    ? await atPrompt(open, turns, interrupts, { request, out, terminal })
    : await lineByLine(turns, interrupts);
  if (await open.remember()) {
    stderr.line(stderr.paint("dim", "Session kept. Continue: glovebox chat -c"));
  }
  return status;
}

async function atPrompt(
  open: OpenAnalyst,
  turns: ChatTurns,
  interrupts: Interrupts,
  { request, terminal }: Work,
): Promise<number> {
  const { stderr, stdout } = terminal;
  const history = new HistoryFile(join(gloveboxHome(), "history.jsonl"));
  await history.load();
  const about = request.paths.map((path) => oneLine(path));
  const banner = ["Glovebox", oneLine(open.analyst.model.name), ...about, "/help lists commands"].join(" · ");
  stderr.line(stderr.paint("dim", banner));
  using prompt = new Prompt({
    input: process.stdin as ReadStream,
    output: stderr.isTerminal ? process.stderr : process.stdout,
    paint: stderr.isTerminal ? stderr.paint : stdout.paint,
    history: () => history.entries,
    complete: (line) =>
      complete(line, {
        commands: commandNames,
        sessionFiles: () => namesIn(open.kept.files),
        folder: process.cwd(),
      }),
    onInterrupt: () => interrupts.press(),
  });
  for (;;) {
    stdout.startLine();
    stderr.startLine();
    const line = await prompt.read();
    if (line === undefined) return exitStatus.well;
    await history.add(line);
    if (isQuit(line)) return exitStatus.well;
    await turns.take(line);
  }
}

/** A failure does not keep the questions after it from being asked; Ctrl-C does. */
async function lineByLine(turns: ChatTurns, interrupts: Interrupts): Promise<number> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let interrupted = false;
  const onInterrupt = () => {
    interrupted = true;
    interrupts.press();
    lines.close();
  };
  process.on("SIGINT", onInterrupt);
  let status: number = exitStatus.well;
  try {
    for await (const line of lines) {
      if (interrupted || isQuit(line)) break;
      if (line.trim() !== "") status = (await turns.take(line.trim())) || status;
    }
  } finally {
    process.off("SIGINT", onInterrupt);
  }
  return interrupted ? exitStatus.interrupted : status;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
