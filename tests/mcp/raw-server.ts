import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { after } from "node:test";
import { command, environment } from "./doors.ts";

/** `glovebox mcp` with its pipes bare, as no client of good manners uses it. */
export class RawServer {
  readonly lines: string[] = [];
  readonly process: ChildProcess;
  readonly exited: Promise<[number | null, NodeJS.Signals | null]>;
  readonly #reader: Interface;

  constructor(home: string, ...args: string[]) {
    const { command: program, args: words } = command(...args);
    this.process = spawn(program, words, { env: environment(home), stdio: ["pipe", "pipe", "ignore"] });
    this.exited = once(this.process, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    if (!this.process.stdout) throw new Error("no pipe");
    this.process.stdin?.on("error", () => {});
    this.#reader = createInterface({ input: this.process.stdout });
    this.#reader.on("line", (line) => this.lines.push(line));
    after(() => this.process.kill("SIGKILL"));
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  write(text: string): void {
    this.process.stdin?.write(text);
  }

  endInput(): void {
    this.process.stdin?.end();
  }

  /** The message that this holds for, come or to come. */
  async message(wanted: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.lines.map((line) => JSON.parse(line)).find(wanted);
      if (found) return found;
      await once(this.#reader, "line");
    }
  }

  async answer(id: number): Promise<Record<string, unknown>> {
    return this.message((message) => message.id === id);
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "raw", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    this.send({ id: 1, method: "initialize", params });
    await this.answer(1);
    this.send({ method: "notifications/initialized" });
  }

  callPython(id: number, code: string, meta: object = {}): void {
    const params = { name: "python_repl", arguments: { code }, _meta: meta };
    this.send({ id, method: "tools/call", params });
  }
}
