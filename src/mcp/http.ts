// who asks, and in which revision? → the newest has only requests: its sessions are named → older ones have connections
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { NoteStore } from "../store/notes.ts";
import type { McpBox } from "./box.ts";
import { ConnectionDesk, type Desk, PassingDesk } from "./desk.ts";
import type { HeldSession, Lease } from "./held-session.ts";
import { HttpConnections } from "./http-connections.ts";
import type { Made } from "./made-content.ts";
import { makeMcpServer } from "./mcp-server.ts";
import { rpcError } from "./rpc-error.ts";
import { LOCAL_OWNER } from "./session-names.ts";
import { Sessions } from "./sessions.ts";

export interface McpHandlerParts {
  readonly box: McpBox;
  readonly version: string;
  /** Where the audit log is; without it none is written. */
  readonly home?: string;
  readonly now?: () => number;
  readonly onLog?: (line: string) => void;
  /** Containers can be named as sessions; without them they cannot. */
  readonly containers?: {
    open(owner: string, id: string): Promise<Lease>;
    noteFiles(owner: string, id: string, files: Made["files"]): Promise<unknown>;
  };
  /** Throws when an owner has too much going on; counts until it is disposed of. */
  readonly limits?: { run(owner: string): Disposable };
  /** Sessions and connections that one owner may have. */
  readonly mostSessions?: number;
  /** After so long without use a session without a connection, or a connection, ends. */
  readonly idleMs?: number;
}

export interface McpHandler {
  /** One request of an owner. Host, Origin and key are checked before. */
  fetch(request: Request, caller: { readonly owner: string }): Promise<Response>;
  /** Ends every connection and every session that was opened here. */
  close(): Promise<void>;
}

interface Owner {
  readonly sessions: Sessions;
  readonly passing: PassingDesk;
  readonly newest: McpHttpHandler;
}

/** Base64 of the largest file that may be put, and what is around it. */
const MOST_BODY_BYTES = 8 << 20;
const MOST_SESSIONS = 32;
const IDLE_MS = 20 * 60_000;
const SWEEP_MS = 30_000;
const ENDING = -32000;

export function mcpHandler(parts: McpHandlerParts): McpHandler {
  const served = new ServedOwners(parts);
  const sweep = setInterval(() => void served.sweep(), SWEEP_MS).unref();
  let closing: Promise<void> | undefined;
  return {
    async fetch(request, { owner }) {
      if (closing) return rpcError(503, ENDING, "The server is ending.");
      await served.sweep();
      return served.serve(request, owner);
    },
    close() {
      clearInterval(sweep);
      closing ??= served.close();
      return closing;
    },
  };
}

class ServedOwners {
  readonly #parts: McpHandlerParts;
  readonly #now: () => number;
  readonly #log: (line: string) => void;
  readonly #idleMs: number;
  readonly #most: number;
  readonly #owners = new Map<string, Owner>();
  readonly #connections: HttpConnections;

  constructor(parts: McpHandlerParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#log = parts.onLog ?? (() => {});
    this.#idleMs = parts.idleMs ?? IDLE_MS;
    this.#most = parts.mostSessions ?? MOST_SESSIONS;
    this.#connections = new HttpConnections({
      connect: (owner) => {
        const desk = new ConnectionDesk(this.#owner(owner).sessions);
        return { desk, server: this.#server(owner, desk) };
      },
      now: this.#now,
      most: this.#most,
      idleMs: this.#idleMs,
      mostBodyBytes: MOST_BODY_BYTES,
      onLog: this.#log,
    });
  }

  async serve(request: Request, owner: string): Promise<Response> {
    const older = await isLegacyRequest(request, undefined, { maxRequestBodySize: MOST_BODY_BYTES });
    return older ? this.#connections.serve(request, owner) : this.#owner(owner).newest.fetch(request);
  }

  async sweep(): Promise<void> {
    try {
      await this.#connections.closeIdle();
      for (const { passing } of this.#owners.values()) await passing.releaseIdle(this.#idleMs);
    } catch (error) {
      this.#log(`MCP: an idle session did not close: ${error}`);
    }
  }

  async close(): Promise<void> {
    await this.#connections.close();
    for (const { newest, sessions } of this.#owners.values()) {
      await newest.close();
      await sessions.close();
    }
  }

  #owner(owner: string): Owner {
    const known = this.#owners.get(owner);
    if (known) return known;
    const { box, containers } = this.#parts;
    const sessions = new Sessions({
      owner,
      open: (options) => box.session(options),
      ...(containers ? { borrow: (id) => containers.open(owner, id) } : {}),
      now: this.#now,
      most: this.#most,
    });
    const passing = new PassingDesk(sessions);
    const newest: McpHttpHandler = createMcpHandler(
      () => this.#server(owner, passing, () => newest.notify.resourcesChanged()),
      {
        legacy: "reject",
        maxRequestBodySize: MOST_BODY_BYTES,
        onerror: (error) => this.#log(`MCP: ${error.message}`),
      },
    );
    const made = { sessions, passing, newest };
    this.#owners.set(owner, made);
    return made;
  }

  #server(owner: string, desk: Desk, onFilesChanged?: () => void) {
    const { containers, limits, version } = this.#parts;
    const noteFiles = async (held: HeldSession, made: Made) => {
      if (held.kind === "container") await containers?.noteFiles(owner, held.name, made.files);
    };
    return makeMcpServer({
      version,
      desk,
      notes: this.#notes(owner),
      admit: () => limits?.run(owner) ?? { [Symbol.dispose]: () => {} },
      home: this.#parts.home,
      noteFiles,
      onFilesChanged,
      onLog: this.#log,
    });
  }

  /** Notes know no owner: they are only for whoever is alone on this machine. */
  #notes(owner: string): NoteStore | undefined {
    return owner === LOCAL_OWNER ? this.#parts.box.store.notes : undefined;
  }
}
