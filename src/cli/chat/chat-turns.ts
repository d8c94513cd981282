import { addUsage, noUsage, type Usage } from "../../protocol/usage.ts";
import { exitStatus } from "../exit-status.ts";
import type { OpenAnalyst } from "../open-analyst.ts";
import type { OutFolder } from "../out-folder.ts";
import { reportError } from "../report-error.ts";
import { saveTurnFiles } from "../save-files.ts";
import type { Terminal } from "../terminal.ts";
import { statusOfTurn } from "../turn/turn-status.ts";
import { TurnView } from "../turn/turn-view.ts";
import type { Interrupts } from "./interrupts.ts";
import { isCommand, runSlashCommand } from "./slash-commands.ts";

export interface ChatTurnsParts {
  readonly open: OpenAnalyst;
  readonly out: OutFolder | undefined;
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
}

/** Answers what is typed in a chat, one line after the other. What goes wrong is told and does not end the chat. */
export class ChatTurns {
  readonly #parts: ChatTurnsParts;
  readonly #saved = new Set<string>();
  #usage: Usage = noUsage;

  constructor(parts: ChatTurnsParts) {
    this.#parts = parts;
  }

  /** Gives the exit status that the line would have had as a command of its own. */
  async take(line: string): Promise<number> {
    const { terminal } = this.#parts;
    try {
      return isCommand(line) ? await this.#command(line) : await this.#question(line);
    } catch (error) {
      return reportError(error, terminal, { json: false });
    }
  }

  async #command(line: string): Promise<number> {
    const { open, terminal, interrupts } = this.#parts;
    const words = await interrupts.during(() =>
      runSlashCommand(line, { open, output: terminal.stderr, usage: () => this.#usage, saved: this.#saved }),
    );
    terminal.stderr.line(words);
    return exitStatus.well;
  }

  async #question(question: string): Promise<number> {
    const { open, out, terminal, interrupts } = this.#parts;
    using view = new TurnView(terminal, open.look);
    const turn = await interrupts
      .during(
        (signal) => open.analyst.ask(question, { signal, onEvent: (event) => view.take(event) }),
        () => view.stopping("Stopping; press Ctrl-C again to kill it."),
      )
      .finally(() => open.remember());
    view.finish(turn);
    this.#usage = addUsage(this.#usage, turn.usage);
    const { problems } = await saveTurnFiles(turn, open.kept, out);
    for (const problem of problems) reportError(problem, terminal, { json: false });
    return statusOfTurn(turn);
  }
}
