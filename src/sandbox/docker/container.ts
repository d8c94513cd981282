// One container: started with the session's limits, ready when the kernel's first frame has come, removed with its stream.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { GloveboxError } from "../../errors.ts";
import { encodeFrame } from "../../protocol/frames.ts";
import type { KernelShape } from "../sandbox.ts";
import { ContainerStream } from "./container-stream.ts";
import { type Engine, isSpawnFailure } from "./engine.ts";
import { explainFailure } from "./explain-failure.ts";
import { type RunSettings, runArguments } from "./run-arguments.ts";

const START_MS = 120_000;
const FAREWELL_MS = 2_000;
const REMOVAL_MS = 30_000;
const MOST_WORDS = 20;
const MOST_WORD_CHARACTERS = 2_000;
// Below it is the kernel's own end, which takes the container along.
const ENGINE_FAILED = 125;

interface Exit {
  readonly code: number | null;
  /** Why there was no program to end. */
  readonly error?: unknown;
}

export class Container {
  readonly name: string;
  readonly stream: Duplex;
  /** Fulfilled with the kernel's first frame; rejected with what kept it from coming. */
  readonly ready: Promise<void>;
  readonly #engine: Engine;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<Exit>;
  readonly #lastWords: string[] = [];
  #removal: Promise<boolean> | undefined;

  constructor(engine: Engine, shape: KernelShape, settings: RunSettings, onLog?: (line: string) => void) {
    this.name = settings.name;
    this.#engine = engine;
    this.#child = engine.spawn(runArguments(shape, settings));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => this.#hear(text, onLog));
    const started = Promise.withResolvers<void>();
    this.#exited = exitOf(this.#child);
    this.stream = new ContainerStream(this.#child, started.resolve);
    this.ready = this.#readiness(started.promise);
    this.ready.catch(() => {});
    this.stream.write(encodeFrame({ type: "open", ...shape }));
  }

  get over(): boolean {
    return this.stream.destroyed;
  }

  /** One that waits in a pool does not keep this process from ending. */
  keepsProcessAlive(value: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin, stdout, stderr] as { ref?(): void; unref?(): void }[]) {
      if (value) handle.ref?.();
      else handle.unref?.();
    }
  }

  /** True once the container is gone, false when the engine could not be asked. */
  remove(): Promise<boolean> {
    this.#removal ??= this.#remove();
    return this.#removal;
  }

  async #remove(): Promise<boolean> {
    this.keepsProcessAlive(true);
    // The kernel hears the end of its stream and ends; the container goes with it.
    this.stream.destroy();
    const exit = await Promise.race([this.#exited, pause(FAREWELL_MS, undefined, { ref: false })]);
    if (exit?.error || (typeof exit?.code === "number" && exit.code < ENGINE_FAILED)) return true;
    const removed = await removeContainer(this.#engine, this.name);
    await Promise.race([this.#exited, pause(FAREWELL_MS, undefined, { ref: false })]);
    // An engine's client that still waits may yet create what was just looked for.
    if (!this.#child.kill("SIGKILL")) return removed;
    await this.#exited;
    return removeContainer(this.#engine, this.name);
  }

  async #readiness(started: Promise<void>): Promise<void> {
    const tooLate = new AbortController();
    const outcome = await Promise.race([
      started,
      this.#exited,
      pause(START_MS, { late: true }, { signal: tooLate.signal, ref: false }),
    ]);
    tooLate.abort();
    if (outcome === undefined) return;
    this.stream.destroy();
    if ("late" in outcome) {
      throw new GloveboxError(
        "sandbox-unavailable",
        `The container did not start within ${START_MS / 1000} s; see whether the machine is overloaded, and try again.`,
      );
    }
    const { error } = outcome;
    if (isSpawnFailure(error)) throw explainFailure(this.#engine.command, error.code, error);
    throw explainFailure(this.#engine.command, this.#lastWords.join("\n"), error);
  }

  #hear(text: string, onLog: ((line: string) => void) | undefined): void {
    for (const line of text.split("\n")) {
      if (!line.trim()) continue;
      this.#lastWords.push(line.slice(0, MOST_WORD_CHARACTERS));
      if (this.#lastWords.length > MOST_WORDS) this.#lastWords.shift();
      onLog?.(line.slice(0, MOST_WORD_CHARACTERS));
    }
  }
}

/** False when the engine could not be asked. One that is not there, or on its way out, is as good as removed. */
export async function removeContainer(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.run(["rm", "--force", "--volumes", name], { timeoutMs: REMOVAL_MS });
    return true;
  } catch (error) {
    return (
      error instanceof GloveboxError &&
      /no such container|already in progress|no container with/i.test(error.message)
    );
  }
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return once(child, "close").then(
    ([code]) => ({ code: code as number | null }),
    (error: unknown) => ({ code: null, error }),
  );
}
