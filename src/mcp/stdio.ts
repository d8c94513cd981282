// serve on standard input and output → whoever connects has one session → it is over when the input is
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Session } from "../session/session.ts";
import type { McpBox } from "./box.ts";
import { ConnectionDesk } from "./desk.ts";
import { lazyNotes } from "./lazy-notes.ts";
import { makeMcpServer } from "./mcp-server.ts";
import { LOCAL_OWNER } from "./session-names.ts";
import { Sessions } from "./sessions.ts";

export interface StdioParts {
  readonly version: string;
  /** Where the audit log is. */
  readonly home: string;
  /** Opened with its first use: a client that only asks what there is waits for nothing. */
  readonly openBox: () => Promise<McpBox>;
  /** The connection's own session, by a name that keeps its files. */
  readonly session?: string | undefined;
  /** Fills the connection's own session before its first use. */
  readonly prepare?: ((session: Session) => Promise<void>) | undefined;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  readonly onLog: (line: string) => void;
}

/** Base64 of the largest file that may be put, and what is around it. */
const MOST_MESSAGE_BYTES = 16 << 20;
const MOST_SESSIONS = 64;

/** Fulfilled when the client is gone; its sessions end with the box. */
export async function serveMcpStdio(parts: StdioParts): Promise<void> {
  const sessions = new Sessions({
    owner: LOCAL_OWNER,
    open: async (options) => (await parts.openBox()).session(options),
    now: Date.now,
    most: MOST_SESSIONS,
  });
  const desk = new ConnectionDesk(sessions, { own: parts.session, prepare: parts.prepare });
  const notes = lazyNotes(async () => (await parts.openBox()).store.notes);
  const transport = new ClosingTransport();
  const handle = serveStdio(
    () =>
      makeMcpServer({
        version: parts.version,
        desk,
        notes,
        home: parts.home,
        admit: () => ({ [Symbol.dispose]: () => {} }),
        onListed: () => void parts.openBox().catch(() => {}),
        onLog: parts.onLog,
      }),
    { transport, onerror: (error) => parts.onLog(`MCP: ${error.message}`) },
  );
  const end = () => void handle.close();
  parts.signal.addEventListener("abort", end, { once: true });
  if (parts.signal.aborted) end();
  await transport.closed;
  parts.signal.removeEventListener("abort", end);
}

class ClosingTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();

  constructor() {
    super(process.stdin, process.stdout, { maxBufferSize: MOST_MESSAGE_BYTES });
    this.closed = this.#ended.promise;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#ended.resolve();
  }
}
