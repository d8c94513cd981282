import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { temporaryHome } from "../cli/glovebox.ts";
import { Habitats } from "../hostile/left-running.ts";
import { openTestBox } from "../support/box.ts";
import { BEFORE, enterByHttp, NEWEST, structured } from "./doors.ts";
import { openHttpHost } from "./http-host.ts";

const MINUTE_MS = 60_000;
const box = await openTestBox({ home: await temporaryHome() });
const clock = { nowMs: 0 };
const host = await openHttpHost({ box, now: () => clock.nowMs });

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: BEFORE, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

describe("Over HTTP", { timeout: 300_000 }, () => {
  test("a call of the newest revision without a session begins one and tells its name", async () => {
    const { client } = await enterByHttp({ url: host.url, revision: NEWEST });
    const first = structured(await client.callTool({ name: "python_repl", arguments: { code: "x = 1" } }));
    assert.match(String(first.session), /^s[0-9a-f]{24}$/);
    assert.match(String(first.notice), new RegExp(`"session": "${first.session}"`));
    const same = { code: "x", session: first.session };
    const second = structured(await client.callTool({ name: "python_repl", arguments: same }));
    assert.deepEqual([second.json, second.session, second.notice], [1, first.session, undefined]);
    const third = await client.callTool({ name: "python_repl", arguments: { code: "x" } });
    assert.equal(structured(third).name, "NameError");
  });

  test("what works in a session that is there asks for its name", async () => {
    const { client } = await enterByHttp({ url: host.url, revision: NEWEST });
    const { name, message } = structured(await client.callTool({ name: "list_variables", arguments: {} }));
    assert.deepEqual([name, /give "session"/.test(String(message))], ["BadArguments", true]);
  });

  test("owners do not share sessions, handles or connections", async () => {
    const ours = await enterByHttp({ url: host.url, revision: NEWEST, owner: "key_a" });
    const theirs = await enterByHttp({ url: host.url, revision: NEWEST, owner: "key_b" });
    const code = "mine = 1; open('mine.txt', 'w').write('x'); None";
    await ours.call("python_repl", { code, session: "budget" });
    const seen = await theirs.call("python_repl", {
      code: "import os; ('mine' in globals(), os.listdir())",
      session: "budget",
    });
    assert.deepEqual(structured(seen).json, [false, []]);
    const begun = await ours.client.callTool({ name: "python_repl", arguments: { code: "1" } });
    const handle = structured(begun).session;
    const refused = await theirs.call("python_repl", { code: "1", session: handle });
    assert.match(String(structured(refused).message), /There is no session/);
    const { resources } = await theirs.client.listResources();
    assert.deepEqual(resources, []);
    const connection = await connect("key_a");
    const answer = await post(
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      { connection, owner: "key_b" },
    );
    assert.equal(answer.status, 404);
  });

  test("notes are only for whoever is alone on the machine", async () => {
    const { client } = await enterByHttp({ url: host.url, revision: NEWEST, owner: "key_a" });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name).filter((name) => name.includes("note")),
      [],
    );
  });

  test("a client that says goodbye ends its session", async () => {
    const guest = await enterByHttp({ url: host.url, revision: BEFORE });
    const { transport } = guest.client;
    assert.ok(transport instanceof StreamableHTTPClientTransport && transport.sessionId);
    const connection = transport.sessionId;
    const found = await guest.call("python_repl", { code: "import os; os.readlink('/proc/self/ns/pid')" });
    const habitats = new Habitats();
    await habitats.add(String(structured(found).json));
    assert.notDeepEqual(await habitats.inhabitants(), []);
    await transport.terminateSession();
    assert.deepEqual(await habitats.leftRunning(), []);
    const answer = await post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { connection });
    assert.equal(answer.status, 404);
  });

  test("what nobody uses for twenty minutes ends", async () => {
    const connection = await connect();
    const { client } = await enterByHttp({ url: host.url, revision: NEWEST });
    const begun = structured(await client.callTool({ name: "python_repl", arguments: { code: "1" } }));
    clock.nowMs += 21 * MINUTE_MS;
    const answer = await post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { connection });
    const late = await client.callTool({
      name: "python_repl",
      arguments: { code: "1", session: begun.session },
    });
    assert.deepEqual([answer.status, structured(late).name], [404, "ToolFailed"]);
  });

  test("too many connections are refused, and one that nobody uses makes room", async () => {
    const small = await openHttpHost({ box, mostSessions: 2 });
    const idle = await connect("local", small.url);
    const busy = await connect("local", small.url);
    await using _listening = await listen(busy, small.url);
    await using _too = await listen(await connect("local", small.url), small.url);
    const evicted = await post(
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      { connection: idle, url: small.url },
    );
    const refused = await post(initialize, { url: small.url });
    assert.deepEqual([evicted.status, refused.status, refused.headers.get("retry-after")], [404, 429, "10"]);
  });

  test("the sessions of passing clients make room for each other", async () => {
    const small = await openHttpHost({ box, mostSessions: 2 });
    const { client } = await enterByHttp({ url: small.url, revision: NEWEST });
    const begin = async () =>
      structured(await client.callTool({ name: "python_repl", arguments: { code: "1" } })).session;
    const sessions = [await begin(), await begin(), await begin()];
    const outcomes: unknown[] = [];
    for (const session of sessions.reverse()) {
      const result = await client.callTool({ name: "python_repl", arguments: { code: "2", session } });
      outcomes.push(structured(result).kind);
    }
    assert.deepEqual(outcomes, ["object", "object", "error"]);
  });

  test("bodies that are too large, no JSON or no beginning are refused", async () => {
    const large = await post({ ...initialize, filler: "x".repeat(9 << 20) });
    const broken = await fetch(host.url, { method: "POST", headers: headersOf({}), body: "{" });
    const text = await fetch(host.url, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "{}",
    });
    const early = await post({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    assert.deepEqual([large.status, broken.status, text.status, early.status], [413, 400, 415, 400]);
  });

  test("a container can be named as a session, and hears of its files", async () => {
    await using session = await box.session();
    const heard: unknown[] = [];
    const containers = {
      open: async () => ({ session, revived: "The variables are gone.", [Symbol.dispose]: () => {} }),
      noteFiles: async (...told: unknown[]) => heard.push(told),
    };
    const { url } = await openHttpHost({ box, containers });
    const { client } = await enterByHttp({ url, revision: NEWEST, owner: "key_a" });
    const args = { code: "open('a.txt', 'w').write('x')", session: "cntr_0123" };
    const result = structured(await client.callTool({ name: "python_repl", arguments: args }));
    assert.deepEqual([result.json, result.notice], [1, "The variables are gone."]);
    assert.deepEqual(heard, [["key_a", "cntr_0123", [{ path: "/mnt/data/a.txt", bytes: 1 }]]]);
  });

  test("a call over its owner's limit is told so", async () => {
    const limits = {
      run: () => {
        throw Object.assign(new Error("You have 4 running, which is the most at once."), { status: 429 });
      },
    };
    const { url } = await openHttpHost({ box, limits });
    const guest = await enterByHttp({ url, revision: NEWEST });
    const result = await guest.call("python_repl", { code: "1" });
    assert.deepEqual(
      [structured(result).message, result.isError],
      ["You have 4 running, which is the most at once.", true],
    );
  });

  test("a handler that was closed serves nobody", async () => {
    const { url, close } = await openHttpHost({ box });
    const guest = await enterByHttp({ url, revision: BEFORE });
    await guest.call("python_repl", { code: "1" });
    await close();
    await assert.rejects(fetch(url));
  });
});

interface Sent {
  readonly connection?: string;
  readonly owner?: string;
  readonly url?: URL;
}

function headersOf({ connection, owner }: Sent): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(connection ? { "mcp-session-id": connection } : {}),
    ...(owner ? { "x-owner": owner } : {}),
  };
}

async function post(message: object, sent: Sent = {}): Promise<Response> {
  const body = JSON.stringify(message);
  const response = await fetch(sent.url ?? host.url, { method: "POST", headers: headersOf(sent), body });
  await response.text();
  return response;
}

/** A connection of the revision before, as bare requests make it. */
async function connect(owner = "local", url: URL = host.url): Promise<string> {
  const response = await post(initialize, { owner, url });
  const connection = response.headers.get("mcp-session-id") ?? "";
  assert.notEqual(connection, "");
  await post({ jsonrpc: "2.0", method: "notifications/initialized" }, { connection, owner, url });
  return connection;
}

/** The stream that notifications come on. */
async function listen(connection: string, url: URL): Promise<AsyncDisposable> {
  const response = await fetch(url, { headers: headersOf({ connection }) });
  assert.equal(response.status, 200);
  return { [Symbol.asyncDispose]: async () => response.body?.cancel() };
}
