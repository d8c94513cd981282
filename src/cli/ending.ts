import { GloveboxError } from "../errors.ts";
import { exitStatus } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";

const HINT_MS = 500;
const FAREWELL_MS = 2000;

/**
 * How a command is asked to end early.
 * First Ctrl-C: `signal` aborts and the command comes to a clean end. All else closes what is open at once.
 */
export class Ending implements Disposable {
  readonly signal: AbortSignal;
  readonly #terminal: Terminal;
  readonly #abort = new AbortController();
  readonly #usualReaderGone: () => void;
  #close: () => Promise<void> = async () => {};
  #hint: NodeJS.Timeout | undefined;
  #status: number | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.signal = this.#abort.signal;
    this.#usualReaderGone = terminal.onReaderGone;
    terminal.onReaderGone = () => this.#now(exitStatus.brokenPipe);
    process.on("SIGINT", this.#onInterrupt);
    process.on("SIGTERM", this.#onTerminate);
    process.on("SIGHUP", this.#onHangup);
  }

  /** The exit status that the ending asks for, once it was asked for. */
  get status(): number | undefined {
    return this.#status;
  }

  throwIfAsked(): void {
    if (this.#status !== undefined) throw new GloveboxError("aborted", "Stopped.");
  }

  /** What ends the work at once. */
  onForce(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** From now on somebody else knows what Ctrl-C means. */
  leaveInterrupts(): void {
    process.off("SIGINT", this.#onInterrupt);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#hint);
    this.#terminal.onReaderGone = this.#usualReaderGone;
    process.off("SIGINT", this.#onInterrupt);
    process.off("SIGTERM", this.#onTerminate);
    process.off("SIGHUP", this.#onHangup);
  }

  readonly #onTerminate = () => this.#now(exitStatus.terminated);
  readonly #onHangup = () => this.#now(exitStatus.hangup);
  readonly #onInterrupt = () => {
    if (this.#status !== undefined) return this.#now(exitStatus.interrupted);
    this.#status = exitStatus.interrupted;
    const { stderr } = this.#terminal;
    const hint = () =>
      stderr.line(stderr.paint("dim", "Interrupting; press Ctrl-C again to end it at once."));
    if (stderr.isTerminal) this.#hint = setTimeout(hint, HINT_MS).unref();
    this.#abort.abort();
  };

  #now(status: number): void {
    clearTimeout(this.#hint);
    this.#status = status;
    this.#abort.abort();
    // Whatever hangs does not keep us; the sandbox ends with this process.
    setTimeout(() => process.exit(status), FAREWELL_MS).unref();
    this.#close().then(
      () => process.exit(status),
      () => process.exit(status),
    );
  }
}
