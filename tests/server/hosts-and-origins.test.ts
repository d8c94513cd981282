import assert from "node:assert/strict";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { openTestServer } from "../support/server.ts";

interface Answer {
  readonly status: number | undefined;
  readonly code: string | null | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** As a browser would send it, whatever its headers say. */
function ask(url: string, headers: Record<string, string>, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/files`, { method, headers }, async (answer) => {
      const body = (await json(answer).catch(() => ({}))) as { error?: { code: string } };
      resolve({ status: answer.statusCode, code: body.error?.code, headers: answer.headers });
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("A server on loopback answers to its own names only", async () => {
  await using server = await openTestServer();
  const port = new URL(server.url).port;
  const own = ["localhost", "127.0.0.1", "[::1]", "page.localhost", "LOCALHOST", "10.1.2.3"];
  for (const host of own) {
    assert.equal((await ask(server.url, { host: `${host}:${port}` })).status, 200, host);
  }
  for (const host of ["attacker.example", "localhost.attacker.example", "127.0.0.1.attacker.example"]) {
    const { status, code } = await ask(server.url, { host: `${host}:${port}` });
    assert.deepEqual([status, code], [403, "host_not_allowed"], host);
  }
});

test("A name that is allowed is answered to", async () => {
  await using server = await openTestServer({ config: { allowHosts: ["box.example.org"] } });
  assert.equal((await ask(server.url, { host: "box.example.org" })).status, 200);
  assert.equal((await ask(server.url, { host: "other.example.org" })).status, 403);
});

test("Pages of other origins may not call, not even for a preflight", async () => {
  await using server = await openTestServer();
  for (const origin of ["https://attacker.example", "null", "http://localhost:1", "file://"]) {
    const { status, code, headers } = await ask(server.url, { origin });
    assert.deepEqual(
      [status, code, headers["access-control-allow-origin"]],
      [403, "origin_not_allowed", undefined],
    );
    const preflight = await ask(server.url, { origin, "access-control-request-method": "POST" }, "OPTIONS");
    assert.equal(preflight.status, 403);
  }
  assert.equal((await ask(server.url, { origin: server.url })).status, 200, "its own page may");
});

test("Pages of an allowed origin may call, and read errors too", async () => {
  const origin = "https://app.example.org";
  const key = "a-key-that-is-long-enough";
  await using server = await openTestServer({ config: { allowOrigins: [origin], apiKeys: [key] } });
  const preflight = await ask(
    server.url,
    {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,x-stainless-os",
    },
    "OPTIONS",
  );
  const named = Object.entries(preflight.headers).filter(([name]) => name.startsWith("access-control"));
  assert.equal(preflight.status, 204);
  assert.deepEqual(Object.fromEntries(named), {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers": "authorization,content-type,x-stainless-os",
    "access-control-expose-headers": "x-request-id, retry-after, content-disposition, mcp-session-id",
    "access-control-max-age": "86400",
  });
  const answers = [
    await ask(server.url, { origin, authorization: `Bearer ${key}` }),
    await ask(server.url, { origin }),
  ];
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers["access-control-allow-origin"], headers.vary]),
    [
      [200, origin, "Origin"],
      [401, origin, "Origin"],
    ],
  );
});
