import { z } from "zod";
import type { SessionLimits } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import type { CellEvent } from "../protocol/events.ts";
import type { Walls } from "../protocol/messages.ts";
import { type CellResult, Variable } from "../protocol/result.ts";
import type { KernelMount, Sandbox } from "../sandbox/sandbox.ts";
import type { SessionFolder } from "../store/session-folder.ts";
import { KernelLink } from "./kernel-link.ts";
import { type Mark, Marks } from "./marks.ts";
import { Mirror } from "./mirror.ts";
import { RunningCell } from "./running-cell.ts";
import { SessionFiles } from "./session-files.ts";

export interface SessionParts {
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly folder: SessionFolder;
  readonly limits: SessionLimits;
  readonly mounts: readonly KernelMount[];
  /** Whether the host's copy of the files outlives the session. */
  readonly keepFiles: boolean;
  readonly onClose: () => void;
}

export interface RunOptions {
  readonly timeoutMs?: number;
  /** Interrupts the cell; a cell that has not begun is not run. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CellEvent) => void;
}

const Variables = z.object({ variables: z.array(Variable) });
const FIRST_CELL = 1;
const MAX_CODE_BYTES = 4 << 20;

/** A live Python with its variables and files. It starts with its first use and runs one cell at a time. */
export class Session implements AsyncDisposable {
  readonly id: string;
  readonly limits: SessionLimits;
  readonly files: SessionFiles;
  readonly #parts: SessionParts;
  readonly #mirror: Mirror;
  readonly #marks: Marks;
  #link: Promise<KernelLink> | undefined;
  #live: KernelLink | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #running: RunningCell | undefined;
  #nextCell = FIRST_CELL;
  #revived: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.limits = parts.limits;
    this.#mirror = new Mirror(parts.folder, parts.limits.workBytes);
    this.files = new SessionFiles(() => this.#connect(), this.#mirror);
    this.#marks = new Marks(parts.id, () => this.#connect());
  }

  /** Runs a cell after those asked for before it. Code that fails is a result, not an exception. */
  async run(code: string, options: RunOptions = {}): Promise<CellResult> {
    const timeoutMs = options.timeoutMs ?? this.#parts.limits.timeoutMs;
    if (!Number.isSafeInteger(Math.ceil(timeoutMs)) || timeoutMs < 1) {
      throw new GloveboxError(
        "usage",
        `timeoutMs is ${timeoutMs}; give a number of milliseconds, at least one.`,
      );
    }
    const bytes = Buffer.from(code, "utf8");
    if (bytes.length > MAX_CODE_BYTES) {
      throw new GloveboxError(
        "usage",
        `The cell's code is ${bytes.length} bytes long; put data of more than ${MAX_CODE_BYTES} into a file and read it.`,
      );
    }
    return this.#inTurn(() => this.#run(code, bytes, Math.ceil(timeoutMs), options));
  }

  /** Stops the running cell and keeps its session; with `kill` at once, without waiting for the code to answer. */
  async interrupt(options: { kill?: boolean } = {}): Promise<void> {
    const cell = this.#running?.number;
    const link = await this.#link?.catch(() => undefined);
    if (cell === undefined || !link || link.lost) return;
    link.send({ type: "interrupt", cell, kill: options.kill ?? false });
  }

  async variables(): Promise<Variable[]> {
    const link = await this.#connect();
    return Variables.parse((await link.request({ type: "variables" })).value).variables;
  }

  /** Remembers the variables as they are after the cells asked for so far; the oldest of more than eight is forgotten. */
  async mark(): Promise<Mark> {
    return this.#inTurn(() => this.#marks.make());
  }

  /** Puts the variables back; files stay as they are, later marks are dropped, and the mark can be used again. */
  async returnTo(mark: Mark): Promise<{ notice: string }> {
    return this.#inTurn(() => this.#marks.returnTo(mark));
  }

  /** Forgets a mark; one that is gone already is no error. */
  async unmark(mark: Mark): Promise<void> {
    return this.#inTurn(() => this.#marks.forget(mark));
  }

  /** The walls and limits in force around this session. */
  async walls(): Promise<Walls> {
    return (await this.#connect()).walls;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    const link = await this.#link?.catch(() => undefined);
    link?.close();
    await this.#turn;
    if (!this.#parts.keepFiles) await this.#parts.folder.destroy();
    this.#parts.onClose();
  }

  /** After everything asked for before it. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #run(code: string, bytes: Buffer, timeoutMs: number, options: RunOptions): Promise<CellResult> {
    const link = this.#liveLink() ?? (await this.#connect());
    if (options.signal?.aborted) {
      throw new GloveboxError("aborted", "The cell was cancelled before it began; nothing was run.");
    }
    const cell = new RunningCell(this.#nextCell++, options.onEvent ?? (() => {}));
    this.#running = cell;
    const stop = () => void this.interrupt();
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      cell.emit({ type: "cell-start", cell: cell.number, code });
      link.send({ type: "run", cell: cell.number, timeout_ms: timeoutMs }, bytes);
      const end = await cell.end;
      const { changed, removed } = end.changes;
      const hasChanges = changed.length > 0 || removed.length > 0;
      const left = hasChanges ? await this.#mirror.follow(link, end.changes).catch(notKept) : undefined;
      const result = cell.finish(end, [this.#takeRevival(), left]);
      cell.emit({ type: "cell-end", cell: cell.number, result });
      cell.throwListenerError();
      return result;
    } catch (error) {
      if (this.#closing) throw closedError();
      if (!(error instanceof GloveboxError) || error.code !== "kernel-lost") throw error;
      const result = lostResult(cell.number, error);
      cell.emit({ type: "cell-end", cell: cell.number, result });
      return result;
    } finally {
      options.signal?.removeEventListener("abort", stop);
      this.#running = undefined;
    }
  }

  /** The kernel of this session where nobody has to wait for it. */
  #liveLink(): KernelLink | undefined {
    return this.#closing || this.#live?.lost ? undefined : this.#live;
  }

  /** The kernel of this session; a new one with the files of the old when that is gone. */
  async #connect(): Promise<KernelLink> {
    if (this.#closing) throw closedError();
    const before = this.#link;
    const link = await before?.catch(() => undefined);
    if (link && !link.lost) return link;
    // Of several that wait, the first connects for all.
    if (this.#link === before) this.#link = this.#open(this.#nextCell > FIRST_CELL);
    return this.#link as Promise<KernelLink>;
  }

  async #open(again: boolean): Promise<KernelLink> {
    if (this.#closing) throw closedError();
    const { sandbox, limits, mounts } = this.#parts;
    const stream = await sandbox.open({
      memory_bytes: limits.memoryBytes,
      work_bytes: limits.workBytes,
      tmp_bytes: limits.tmpBytes,
      processes: limits.processes,
      mounts,
    });
    const link: KernelLink = new KernelLink(stream, {
      onCell: (message, payload) => this.#running?.take(message, payload),
      onLost: (error) => this.#running?.lose(error),
    });
    try {
      await link.walls;
      const { restored, left } = await this.#mirror.restore(link);
      if (this.#closing) throw closedError();
      if (again) this.#revived = revival(restored, left);
      this.#live = link;
      return link;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  #takeRevival(): string | undefined {
    const said = this.#revived;
    this.#revived = undefined;
    return said;
  }
}

function notKept(error: unknown): string {
  if (error instanceof GloveboxError && error.code === "kernel-lost") {
    return "The sandbox ended before the files of this cell were kept on the host.";
  }
  throw error;
}

function revival(restored: number, left: readonly string[]): string {
  const lost = left.length > 0 ? ` Not put back: ${left.join(", ")}.` : "";
  return `The sandbox had ended and was started anew: ${restored} files are back, the variables are lost.${lost}`;
}

function closedError(): GloveboxError {
  return new GloveboxError("session-closed", "The session is closed; open another one.");
}

function lostResult(cell: number, error: GloveboxError): CellResult {
  const message = "The session's sandbox ended while the cell ran.";
  return {
    kind: "error",
    name: "SandboxDied",
    message,
    traceback: `SandboxDied: ${message} ${error.message}`,
    notice: "The next cell gets a new sandbox with the files that were kept; the variables are lost.",
    cell,
    duration_ms: 0,
  };
}
