import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { explainFailure } from "./explain-failure.ts";

export interface EngineOptions {
  /** The engine's own program: "docker", "podman", or a path to one of them. */
  readonly command?: string;
  /** What comes before every subcommand, such as ["--context", "remote"]. */
  readonly globalArguments?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly onLine?: (line: string) => void;
}

const PATIENCE_MS = 60_000;
const MOST_OUTPUT_CHARACTERS = 1 << 20;

/** A container engine, used through its command line: that also finds contexts, remote hosts and rootless daemons. */
export class Engine {
  readonly command: string;
  readonly isPodman: boolean;
  readonly #globalArguments: readonly string[];
  readonly #env: NodeJS.ProcessEnv;

  constructor(options: EngineOptions = {}) {
    this.command = options.command ?? "docker";
    this.isPodman = basename(this.command).startsWith("podman");
    this.#globalArguments = options.globalArguments ?? [];
    this.#env = options.env ?? process.env;
  }

  /** In a group of its own: what a terminal sends to ours is not for it. */
  spawn(args: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn(this.command, [...this.#globalArguments, ...args], { env: this.#env, detached: true });
  }

  /** What a short command prints; throws what its failure means. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<string> {
    options.signal?.throwIfAborted();
    const child = this.spawn(args);
    child.stdin.on("error", () => {}).end();
    let printed = "";
    let complained = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-MOST_OUTPUT_CHARACTERS);
      report(text, options.onLine);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complained = (complained + text).slice(-MOST_OUTPUT_CHARACTERS);
      report(text, options.onLine);
    });
    const patience = AbortSignal.timeout(options.timeoutMs ?? PATIENCE_MS);
    const stop = AbortSignal.any(options.signal ? [options.signal, patience] : [patience]);
    const kill = () => child.kill("SIGKILL");
    stop.addEventListener("abort", kill, { once: true });
    try {
      const [code] = await once(child, "close");
      options.signal?.throwIfAborted();
      if (code === 0) return printed;
      throw explainFailure(this.command, patience.aborted ? "it did not answer in time" : complained);
    } catch (cause) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw isSpawnFailure(cause) ? explainFailure(this.command, cause.code, cause) : cause;
    } finally {
      stop.removeEventListener("abort", kill);
    }
  }
}

export function isSpawnFailure(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

function report(text: string, onLine: RunOptions["onLine"]): void {
  if (!onLine) return;
  for (const line of text.split("\n")) if (line.trim()) onLine(line.trimEnd());
}
