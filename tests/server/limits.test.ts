import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { LOCAL_OWNER } from "../../src/server/owner.ts";
import { failureOf, openTestServer, type TestServer } from "../support/server.ts";

const MiB = 1 << 20;
const file = (bytes: number, name = "file.bin") => new File([new Uint8Array(bytes)], name);

/** A connection on which the test says what it likes. */
async function rawConnection(t: TestContext, server: TestServer, said = ""): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(said);
  return socket;
}

function head(...lines: string[]): string {
  return `${["POST /v1/containers HTTP/1.1", "host: localhost", ...lines].join("\r\n")}\r\n\r\n`;
}

test("A request that is too large is refused before it is read, and so is one that does not say its size", async () => {
  await using server = await openTestServer({ config: { limits: { requestBytes: 1000 } } });
  const post = async (body: string | ReadableStream) => {
    const answer = await fetch(`${server.url}/v1/containers`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit);
    return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code];
  };
  const large = JSON.stringify({ name: "x".repeat(1000) });
  assert.deepEqual(await post(large), [413, "request_too_large"]);
  assert.deepEqual(await post(new Blob([large]).stream()), [413, "request_too_large"]);
  assert.deepEqual(await post(JSON.stringify({ name: "x" })), [200, undefined]);
});

test("What is not JSON, and JSON that comes as something else, is refused", async () => {
  await using server = await openTestServer();
  const post = async (type: string, body: string) => {
    const answer = await fetch(`${server.url}/v1/containers`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    return [answer.status, ((await answer.json()) as { error: { type: string } }).error.type];
  };
  assert.deepEqual(await post("application/json", "{"), [400, "invalid_request_error"]);
  assert.deepEqual(await post("application/json", "[]"), [400, "invalid_request_error"]);
  assert.deepEqual(await post("text/plain", '{"name":"x"}'), [415, "invalid_request_error"]);
});

test("Over what a key may store it is asked to wait, until it deletes something", async () => {
  await using server = await openTestServer({ config: { limits: { storageBytesPerKey: 1000 } } });
  const client = server.client();
  const first = await client.files.create({ file: file(600), purpose: "user_data" });
  const { id } = await client.containers.create({ name: "x" });
  for (const call of [
    () => client.files.create({ file: file(600), purpose: "user_data" }),
    () => client.containers.files.create(id, { file: file(600) }),
    () => client.containers.files.create(id, { file_id: first.id }),
    () => client.containers.create({ name: "y", file_ids: [first.id] }),
  ]) {
    const { status, error, headers } = await failureOf(call());
    const { code } = error as { code: string };
    assert.deepEqual([status, code, headers?.get("retry-after")], [429, "rate_limit_exceeded", "60"]);
  }
  await client.files.delete(first.id);
  assert.equal((await client.containers.files.create(id, { file: file(600) })).bytes, 600);
});

test("A container takes no more than its folder holds", async () => {
  await using server = await openTestServer({ config: { limits: { workBytes: MiB } } });
  const client = server.client();
  const { id } = await client.containers.create({ name: "x" });
  await client.containers.files.create(id, { file: file(600_000, "a") });
  const { status, error } = await failureOf(client.containers.files.create(id, { file: file(600_000, "b") }));
  assert.deepEqual([status, (error as { code: string }).code], [400, "container_full"]);
  assert.equal((await client.containers.files.create(id, { file: file(700_000, "a") })).bytes, 700_000);
});

test("Over the live sessions of a key it is asked to wait, until one is gone", async () => {
  await using server = await openTestServer({ config: { limits: { sessionsPerKey: 2 } } });
  const { containers } = server.parts;
  const ids = await Promise.all(
    ["a", "b", "c"].map(async (name) => (await containers.create(LOCAL_OWNER, { name })).id),
  );
  const [first = "", second = "", third = ""] = ids;
  for (const id of [first, second]) (await containers.open(LOCAL_OWNER, id))[Symbol.dispose]();
  await assert.rejects(containers.open(LOCAL_OWNER, third), {
    status: 429,
    headers: { "retry-after": "30" },
  });
  (await containers.open(LOCAL_OWNER, first))[Symbol.dispose]();
  await containers.remove(LOCAL_OWNER, second);
  (await containers.open(LOCAL_OWNER, third))[Symbol.dispose]();
  assert.equal(containers.sessionCount, 2);
});

test("Over the responses of a key at once it is asked to wait", async () => {
  await using server = await openTestServer({ config: { limits: { runsPerKey: 1 } } });
  const { limits } = server.parts;
  const running = limits.run("key_a");
  assert.throws(() => limits.run("key_a"), { status: 429, headers: { "retry-after": "2" } });
  limits.run("key_b")[Symbol.dispose]();
  running[Symbol.dispose]();
  running[Symbol.dispose]();
  const again = limits.run("key_a");
  assert.throws(() => limits.run("key_a"), { status: 429 });
  again[Symbol.dispose]();
});

test("Whoever does not finish a request is told so and let go; whoever waits for an answer may wait", {
  timeout: 60_000,
}, async (t) => {
  const answered = Promise.withResolvers<void>();
  await using server = await openTestServer({
    config: { limits: { headersMs: 300, stalledMs: 300 } },
    mount: (app) =>
      app.post("/slow", async (c) => {
        await c.req.text();
        await answered.promise;
        return c.text("at last");
      }),
  });
  const waiting = fetch(`${server.url}/slow`, { method: "POST", body: "x" });
  const ends = await Promise.all([
    text(await rawConnection(t, server)),
    text(await rawConnection(t, server, "GET /healthz HTTP/1.1\r\nhost: local")),
    text(
      await rawConnection(t, server, `${head("content-type: application/json", "content-length: 100")}{"na`),
    ),
  ]);
  assert.match(ends[0], /^$|^HTTP\/1\.1 408 /);
  assert.match(ends[1], /^HTTP\/1\.1 408 /);
  assert.match(ends[2], /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  answered.resolve();
  assert.equal(await (await waiting).text(), "at last");
});

test("Whoever does not take what was asked for is let go, and others are served meanwhile", {
  timeout: 60_000,
}, async (t) => {
  await using server = await openTestServer({ config: { limits: { stalledMs: 300 } } });
  const client = server.client();
  const { id } = await client.files.create({ file: file(64 * MiB), purpose: "user_data" });
  const before = process.memoryUsage().arrayBuffers;
  const readers = await Promise.all(
    [1, 2, 3, 4].map(() =>
      rawConnection(t, server, `GET /v1/files/${id}/content HTTP/1.1\r\nhost: localhost\r\n\r\n`),
    ),
  );
  assert.equal((await client.files.retrieve(id)).bytes, 64 * MiB);
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * MiB, "what is not taken is not read either");
  const ended = 'glovebox_requests_total{method="GET",route="/v1/files/:id/content",status="200"} 4';
  while (!(await (await fetch(`${server.url}/metrics`)).text()).includes(ended));
  for (const socket of readers) assert.ok((await buffer(socket)).length < 64 * MiB);
  assert.equal((await (await client.files.content(id)).arrayBuffer()).byteLength, 64 * MiB);
});

test("One connection too many is told to come again", async (t) => {
  await using server = await openTestServer({ config: { limits: { connections: 3 } } });
  for (let n = 0; n < 3; n++) await rawConnection(t, server);
  const answer = await fetch(`${server.url}/healthz`);
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "2"]);
});
