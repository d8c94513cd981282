import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { ConnectionDesk } from "./desk.ts";
import { whenOver } from "./response-end.ts";
import { rpcError } from "./rpc-error.ts";

export interface ConnectionsParts {
  /** A client with a session of its own; closed when the client is gone. */
  connect(owner: string): { readonly server: Server; readonly desk: ConnectionDesk };
  readonly now: () => number;
  readonly most: number;
  readonly idleMs: number;
  readonly mostBodyBytes: number;
  readonly onLog: (line: string) => void;
}

interface Connection {
  readonly id: string;
  readonly owner: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Answers that are not over, the stream of notifications among them. */
  open: number;
  lastUsedMs: number;
}

const NO_SUCH_SESSION = -32001;
const TOO_MANY = -32000;
const RETRY_SECONDS = 10;
const LONGEST_IDLE_FACTOR = 72;

/** Clients of the revisions that have connections: each sends the id that it was given. */
export class HttpConnections {
  readonly #parts: ConnectionsParts;
  readonly #connections = new Map<string, Connection>();

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
  }

  async serve(request: Request, owner: string): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, owner);
    const connection = this.#connections.get(id);
    if (connection?.owner !== owner) return rpcError(404, NO_SUCH_SESSION, "Session not found");
    return this.#pass(request, connection);
  }

  /** Ends those that nobody uses; one that listens is believed to be there for longer. */
  async closeIdle(): Promise<void> {
    const { now, idleMs } = this.#parts;
    const over = [...this.#connections.values()].filter(({ open, lastUsedMs }) => {
      return now() - lastUsedMs > (open > 0 ? LONGEST_IDLE_FACTOR * idleMs : idleMs);
    });
    await Promise.all(over.map(({ server }) => server.close()));
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#connections.values()].map(({ server }) => server.close()));
  }

  async #begin(request: Request, owner: string): Promise<Response> {
    const own = [...this.#connections.values()].filter((one) => one.owner === owner);
    if (own.length >= this.#parts.most && !(await closeOldest(own))) {
      const message = `You have ${own.length} connections, which is the most at once; close one.`;
      return rpcError(429, TOO_MANY, message, { "retry-after": String(RETRY_SECONDS) });
    }
    const { server, desk } = this.#parts.connect(owner);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#parts.mostBodyBytes,
      onsessioninitialized: (id) => {
        connection = { id, owner, server, transport, open: 0, lastUsedMs: this.#parts.now() };
        this.#connections.set(id, connection);
      },
    });
    let connection: Connection | undefined;
    server.onclose = () => {
      if (connection) this.#connections.delete(connection.id);
      void desk.close().catch((error: Error) => this.#parts.onLog(`MCP: ${error.message}`));
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // What was no proper beginning leaves nothing behind.
    if (!connection) await server.close();
    return response;
  }

  async #pass(request: Request, connection: Connection): Promise<Response> {
    const touch = () => {
      connection.lastUsedMs = this.#parts.now();
    };
    touch();
    connection.open += 1;
    const over = () => {
      connection.open -= 1;
      touch();
    };
    try {
      return whenOver(await connection.transport.handleRequest(request), over);
    } catch (error) {
      over();
      throw error;
    }
  }
}

async function closeOldest(connections: readonly Connection[]): Promise<boolean> {
  const [oldest] = connections.filter(({ open }) => open === 0).sort((a, b) => a.lastUsedMs - b.lastUsedMs);
  await oldest?.server.close();
  return oldest !== undefined;
}
