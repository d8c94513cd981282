import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";

const Answer = z.union([z.object({ value: z.unknown() }), z.object({ error: z.string() })]);
const FAREWELL_MS = 10_000;

export interface DriverOptions {
  readonly python: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** A request that takes longer ends the driver: nothing may stand behind it. */
  readonly limitMs: number;
}

/** A Python process that drives a peer: one request at a time, each answered with a line of JSON. */
export class Driver {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #limitMs: number;
  #lastWords = "";

  constructor({ python, script, args, env, limitMs }: DriverOptions) {
    this.#limitMs = limitMs;
    this.#process = spawn(python, [script, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
    this.#process.stdin.on("error", () => {});
    this.#process.on("error", (error) => {
      this.#lastWords += error.message;
    });
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-2000);
    });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  ask<T>(schema: z.ZodType<T>, request: { operation: string; [name: string]: unknown }): Promise<T> {
    const answer = this.#turn.then(() => this.#ask(schema, request));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  async #ask<T>(schema: z.ZodType<T>, request: object): Promise<T> {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const overdue = setTimeout(() => this.#process.kill("SIGTERM"), this.#limitMs);
    const line = await this.#lines.next();
    clearTimeout(overdue);
    if (line.done) throw new Error(`the driver ended: ${this.#lastWords.trim().split("\n").at(-1)}`);
    const answer = Answer.parse(JSON.parse(line.value));
    if ("error" in answer) throw new Error(answer.error);
    return schema.parse(answer.value);
  }

  /** The driver ends its peer's processes when its input ends, or when it is told to. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.stdin.end();
    const term = setTimeout(() => this.#process.kill("SIGTERM"), FAREWELL_MS);
    const kill = setTimeout(() => this.#process.kill("SIGKILL"), 2 * FAREWELL_MS);
    await exited;
    clearTimeout(term);
    clearTimeout(kill);
  }
}
