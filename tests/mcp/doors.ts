import { after } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { temporaryHome } from "../cli/glovebox.ts";
import { openTestBox } from "../support/box.ts";
import { openHttpHost } from "./http-host.ts";

export const NEWEST = "2026-07-28";
export const BEFORE = "2025-11-25";
export type Revision = typeof NEWEST | typeof BEFORE;

/** A client that is connected. */
export interface Guest {
  readonly client: Client;
  readonly revision: Revision;
  /** Calls a tool in the same session as the call before, whether or not that has to be named. */
  call(
    tool: string,
    args?: Record<string, unknown>,
    options?: Parameters<Client["callTool"]>[1],
  ): Promise<CallToolResult>;
}

/** A way in: a transport and a revision. */
export interface Door {
  readonly name: string;
  readonly revision: Revision;
  /** Whether clients are connected, or only send requests. */
  readonly lasting: boolean;
  enter(options?: ClientOptions): Promise<Guest>;
}

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const TIMEOUT_MS = 120_000;

const guests: Client[] = [];
after(() => Promise.allSettled(guests.map((client) => client.close())));

/** Asks which revision there is in the process that it goes on with, not in another one before. */
class OneProcess extends StdioClientTransport {}

/** How `glovebox mcp` is started. */
export function command(...args: string[]): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", main, "mcp", ...args],
  };
}

export function environment(home: string): Record<string, string> {
  const given = Object.entries({ ...process.env, GLOVEBOX_HOME: home });
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Every way in, each to a home of its own. */
export async function allDoors(): Promise<Door[]> {
  const home = await temporaryHome();
  const box = await openTestBox({ home: await temporaryHome(), limits: { timeoutMs: 600_000 } });
  const { url } = await openHttpHost({ box });
  const revisions: Revision[] = [NEWEST, BEFORE];
  return revisions.flatMap((revision): Door[] => [
    {
      name: `stdio, ${revision}`,
      revision,
      lasting: true,
      enter: (options) =>
        enterByStdio({ home, revision, args: ["--timeout", "600"], ...(options ? { options } : {}) }),
    },
    {
      name: `HTTP, ${revision}`,
      revision,
      lasting: revision === BEFORE,
      enter: (options) => enterByHttp({ url, revision, ...(options ? { options } : {}) }),
    },
  ]);
}

export async function enterByStdio(how: {
  readonly home: string;
  readonly revision?: Revision;
  readonly args?: readonly string[];
  readonly options?: ClientOptions;
}): Promise<Guest> {
  const transport = new OneProcess({
    ...command(...(how.args ?? [])),
    env: environment(how.home),
    stderr: "ignore",
  });
  return enter(transport, how.revision ?? NEWEST, how.options);
}

export async function enterByHttp(how: {
  readonly url: URL;
  readonly revision: Revision;
  readonly owner?: string;
  readonly options?: ClientOptions;
}): Promise<Guest> {
  const headers = how.owner === undefined ? {} : { "x-owner": how.owner };
  const transport = new StreamableHTTPClientTransport(how.url, { requestInit: { headers } });
  return enter(transport, how.revision, how.options);
}

async function enter(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  revision: Revision,
  options: ClientOptions = {},
): Promise<Guest> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: revision === NEWEST ? { pin: revision } : "legacy" }, ...options },
  );
  guests.push(client);
  await client.connect(transport);
  let session: unknown;
  return {
    client,
    revision,
    async call(name, args = {}, options = {}) {
      const named = session === undefined || "session" in args ? args : { session, ...args };
      const result = await client.callTool({ name, arguments: named }, { timeout: TIMEOUT_MS, ...options });
      session ??= structured(result).session;
      return result;
    },
  };
}

export function structured(result: CallToolResult): Record<string, unknown> {
  return (result.structuredContent ?? {}) as Record<string, unknown>;
}
