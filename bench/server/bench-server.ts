// a home of its own beside the installed environment → the server in a process → requests → both go
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { gloveboxHome } from "../../src/config.ts";
import type { ServerMessage } from "./messages.ts";

const script = fileURLToPath(new URL("server-process.ts", import.meta.url));

export interface Asked {
  readonly question: string;
  readonly container?: string;
}

/** A server to measure, asked through its front door. */
export class BenchServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #home: string;
  readonly #url: string;
  readonly #modelTimes: number[] = [];
  #onModelTime = () => {};

  private constructor(child: ChildProcess, home: string, url: string) {
    this.#child = child;
    this.#home = home;
    this.#url = url;
    child.on("message", (message: ServerMessage) => {
      if (!("modelMs" in message)) return;
      this.#modelTimes.push(message.modelMs);
      this.#onModelTime();
    });
  }

  static async start(): Promise<BenchServer> {
    const home = await mkdtemp(join(tmpdir(), "glovebox-bench-"));
    for (const name of ["environments", "cache"]) await symlink(join(gloveboxHome(), name), join(home, name));
    const child = fork(script, [home], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const ended = once(child, "exit").then(() => {
      throw new Error("the server ended before it listened");
    });
    ended.catch(() => {});
    const [message] = (await Promise.race([once(child, "message"), ended])) as [ServerMessage];
    return new BenchServer(child, home, "url" in message ? message.url : "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = once(this.#child, "exit");
      this.#child.disconnect();
      await gone;
    }
    await rm(this.#home, { recursive: true, force: true });
  }

  /** What the model took for the steps since this was asked last, once there are as many. */
  async modelMs(steps: number): Promise<number> {
    while (this.#modelTimes.length < steps) {
      await new Promise<void>((resolve) => {
        this.#onModelTime = resolve;
      });
    }
    return this.#modelTimes.splice(0).reduce((sum, each) => sum + each, 0);
  }

  async newContainer(): Promise<string> {
    const { id } = (await (await this.#post("/containers", { name: "bench" })).json()) as { id: string };
    return id;
  }

  /** A response as a whole; its text is the last thing said. */
  async respond(asked: Asked): Promise<string> {
    return (await this.#post("/responses", bodyOf(asked))).text();
  }

  /** The same as a stream; `firstMs` is the time until its first event had come. */
  async stream(asked: Asked): Promise<{ firstMs: number; text: string }> {
    const begun = performance.now();
    const response = await this.#post("/responses", { ...bodyOf(asked), stream: true });
    const decoder = new TextDecoder();
    let firstMs: number | undefined;
    let text = "";
    for await (const part of response.body ?? []) {
      firstMs ??= performance.now() - begun;
      text += decoder.decode(part, { stream: true });
    }
    return { firstMs: firstMs ?? Number.NaN, text };
  }

  async upload(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const boundary = "glovebox-bench";
    const head = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    async function* form() {
      yield Buffer.from(`${head("purpose")}\r\n\r\nuser_data\r\n`);
      yield Buffer.from(
        `${head("file")}; filename="bench.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      );
      yield* bytes;
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    }
    const response = await fetch(`${this.#url}/v1/files`, {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body: Readable.toWeb(Readable.from(form(), { objectMode: false })) as ReadableStream<Uint8Array>,
      duplex: "half",
    } as RequestInit);
    return ((await (await checked(response)).json()) as { id: string }).id;
  }

  /** How many bytes came. */
  async download(file: string): Promise<number> {
    const response = await checked(await fetch(`${this.#url}/v1/files/${file}/content`));
    let size = 0;
    for await (const part of response.body ?? []) size += part.length;
    return size;
  }

  async remove(file: string): Promise<void> {
    await (await checked(await fetch(`${this.#url}/v1/files/${file}`, { method: "DELETE" }))).text();
  }

  async #post(path: string, body: object): Promise<Response> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${this.#url}/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return checked(response);
  }
}

function bodyOf({ question, container }: Asked): object {
  return {
    input: question,
    ...(container ? { tools: [{ type: "code_interpreter", container }] } : {}),
    include: ["code_interpreter_call.outputs"],
  };
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`the server answered ${response.status}: ${await response.text()}`);
}
