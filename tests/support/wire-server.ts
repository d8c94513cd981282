import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after } from "node:test";

/** A request as a provider would see it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** A piece of a streamed body, or something to wait for before the next piece. */
export type Piece = string | (() => Promise<unknown>);

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly pieces?: readonly Piece[];
  /** "cut" breaks the connection off, "hang" says nothing more until the client goes. */
  readonly afterwards?: "end" | "cut" | "hang";
  /** Writes the body in pieces of so many bytes. */
  readonly bytesAtOnce?: number;
}

/** A provider on loopback: gives scripted answers in order, and remembers what it was asked. */
export class WireServer implements AsyncDisposable {
  readonly requests: Received[] = [];
  readonly url: string;
  readonly #server: Server;
  readonly #answers: Answer[] = [];
  readonly #routes = new Map<string, Answer>();
  #onGone: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => void this.#serve(request, response));
  }

  static async open(): Promise<WireServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const wire = new WireServer(server);
    after(() => wire[Symbol.asyncDispose]());
    return wire;
  }

  /** The answers to the next requests, in order. */
  answer(...answers: Answer[]): this {
    this.#answers.push(...answers);
    return this;
  }

  /** The answer to every request for this path. */
  route(path: string, answer: Answer): this {
    this.#routes.set(path, answer);
    return this;
  }

  /** Fulfilled when a client has gone before its answer was over. */
  clientGone(): Promise<void> {
    return new Promise((resolve) => this.#onGone.push(resolve));
  }

  /** The body of the request so many from the end. */
  body(fromEnd = 1): Record<string, unknown> {
    return this.requests.at(-fromEnd)?.body as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("close", () => {
      if (response.writableFinished) return;
      for (const tell of this.#onGone) tell();
      this.#onGone = [];
    });
    const sent = await text(request);
    const path = request.url ?? "";
    this.requests.push({ method: request.method ?? "", path, headers: request.headers, body: parsed(sent) });
    const answer = this.#routes.get(path) ?? this.#answers.shift();
    if (answer) await write(response, answer);
    else await write(response, { status: 501, json: { error: { message: `nothing scripted for ${path}` } } });
  }
}

async function write(response: ServerResponse, answer: Answer): Promise<void> {
  const type = answer.pieces ? "text/event-stream" : "application/json";
  response.writeHead(answer.status ?? 200, { "content-type": type, ...answer.headers });
  for (const piece of answer.pieces ?? [JSON.stringify(answer.json)]) {
    if (typeof piece === "function") await piece();
    else await writeText(response, piece, answer.bytesAtOnce);
  }
  if (answer.afterwards === "cut") response.destroy();
  else if (answer.afterwards !== "hang") response.end();
}

async function writeText(
  response: ServerResponse,
  piece: string,
  atOnce = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const bytes = Buffer.from(piece);
  for (let from = 0; from < bytes.length; from += atOnce) {
    await new Promise((resolve) => response.write(bytes.subarray(from, from + atOnce), resolve));
  }
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return sent === "" ? undefined : sent;
  }
}

/** Server-sent events as Chat Completions has them: bare data, and a word at the end. */
export function dataEvents(...events: object[]): string[] {
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"];
}

/** Server-sent events that are named for their type, as the Responses API and Anthropic have them. */
export function namedEvents(...events: ({ type: string } & Record<string, unknown>)[]): string[] {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
