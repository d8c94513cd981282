import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startServer } from "../../src/server/serve.ts";
import { emptyHome, failureOf, openTestServer, testConfig } from "../support/server.ts";

const ALICE = "alice-key-0123456789";
const BOB = "bob-key-0123456789abc";

const file = (content: string) => new File([content], "file.txt");

test("On loopback without keys any key will do", async () => {
  await using server = await openTestServer();
  const made = await server.client("one").files.create({ file: file("x"), purpose: "user_data" });
  assert.equal((await server.client("another").files.retrieve(made.id)).id, made.id);
});

test("Where there are keys, nothing works without one but what watches the server", async () => {
  await using server = await openTestServer({ config: { apiKeys: [ALICE] } });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + path, { headers });
    return { status: answer.status, body: (await answer.json()) as { error?: { message: string } } };
  };
  const without = await ask("/v1/files");
  assert.equal(without.status, 401);
  assert.match(without.body.error?.message ?? "", /^You didn't provide an API key\./);
  const wrong = await failureOf(server.client("not-the-right-key-at-all").files.list());
  assert.deepEqual(
    { status: wrong.status, error: wrong.error, challenge: wrong.headers?.get("www-authenticate") },
    {
      status: 401,
      error: {
        message: "Incorrect API key provided. Whoever runs this server has the right one.",
        type: "invalid_request_error",
        param: null,
        code: "invalid_api_key",
      },
      challenge: "Bearer",
    },
  );
  assert.equal((await ask("/metrics")).status, 401);
  assert.equal((await ask("/nowhere")).status, 401);
  assert.equal((await ask("/v1/files", { authorization: `Basic ${ALICE}` })).status, 401);
  assert.equal((await ask("/v1/files", { authorization: `bearer ${ALICE}` })).status, 200);
  for (const path of ["/healthz", "/readyz", "/openapi.json"])
    assert.equal((await ask(path)).status, 200, path);
});

test("A key sees its own things only; those of others are as if they were not", async () => {
  await using server = await openTestServer({ config: { apiKeys: [ALICE, BOB] } });
  const [alice, bob] = [server.client(ALICE), server.client(BOB)];
  const upload = await alice.files.create({ file: file("hers"), purpose: "user_data" });
  const container = await alice.containers.create({ name: "hers" });
  const inside = await alice.containers.files.create(container.id, { file: file("inside") });
  const own = await bob.containers.create({ name: "his" });
  const tries: Record<string, () => Promise<unknown>> = {
    "retrieve file": () => bob.files.retrieve(upload.id),
    "file content": async () => bob.files.content(upload.id),
    "delete file": () => bob.files.delete(upload.id),
    "retrieve container": () => bob.containers.retrieve(container.id),
    "delete container": () => bob.containers.delete(container.id),
    "list container files": async () => bob.containers.files.list(container.id),
    "put file": () => bob.containers.files.create(container.id, { file: file("x") }),
    "container file": () => bob.containers.files.retrieve(inside.id, { container_id: container.id }),
    "container file by his own container": () =>
      bob.containers.files.retrieve(inside.id, { container_id: own.id }),
    "container file content": async () =>
      bob.containers.files.content.retrieve(inside.id, { container_id: container.id }),
    "delete container file": () => bob.containers.files.delete(inside.id, { container_id: container.id }),
    "copy her file": () => bob.containers.files.create(own.id, { file_id: upload.id }),
    "container with her file": () => bob.containers.create({ name: "x", file_ids: [upload.id] }),
  };
  for (const [what, call] of Object.entries(tries)) assert.equal((await failureOf(call())).status, 404, what);
  assert.deepEqual((await bob.files.list()).data, []);
  assert.deepEqual(
    (await bob.containers.list()).data.map(({ id }) => id),
    [own.id],
  );
  assert.equal((await failureOf(bob.files.list({ after: upload.id }))).status, 400);
  assert.equal(await (await alice.files.content(upload.id)).text(), "hers");
});

test("A key stands for the same owner after a new start, and one with a name can be changed", async () => {
  const home = await emptyHome();
  const first = await openTestServer({ home, config: { apiKeys: [{ name: "team", key: ALICE }, BOB] } });
  const shared = await first.client(ALICE).files.create({ file: file("team"), purpose: "user_data" });
  const his = await first.client(BOB).files.create({ file: file("bob"), purpose: "user_data" });
  await first.close();
  const sha256 = createHash("sha256").update("a-new-key-of-the-team").digest("hex");
  await using second = await openTestServer({ home, config: { apiKeys: [BOB, { name: "team", sha256 }] } });
  assert.equal((await failureOf(second.client(ALICE).files.list())).status, 401);
  assert.equal((await second.client("a-new-key-of-the-team").files.retrieve(shared.id)).id, shared.id);
  assert.equal((await second.client(BOB).files.retrieve(his.id)).id, his.id);
});

test("Of a key only its hash is kept", async () => {
  const home = await emptyHome();
  const server = await openTestServer({ home, config: { apiKeys: [ALICE] } });
  await server.client(ALICE).files.list();
  await server.close();
  const store = await readFile(join(home, "glovebox.db"), "latin1");
  assert.equal(store.includes(ALICE), false);
  assert.equal(store.includes(createHash("sha256").update(ALICE).digest("hex")), true);
});

test("A server that other machines reach does not start without a key, and says what to do", async () => {
  const home = await emptyHome();
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.org"]) {
    await assert.rejects(startServer({ home, config: testConfig({ host }) }), {
      code: "usage",
      message: `A server on ${host} can be reached from other machines and needs an API key; give one with --api-key or GLOVEBOX_API_KEY ("openssl rand -hex 32" makes one), or listen on 127.0.0.1.`,
    });
  }
});

test("A key that could be guessed is refused", () => {
  assert.throws(() => testConfig({ apiKeys: ["secret"] }), {
    code: "usage",
    message: /"apiKeys\.0": an API key has at least 16 characters; "openssl rand -hex 32" makes a good one/,
  });
});

test("A home has one server at a time", async () => {
  await using server = await openTestServer();
  await assert.rejects(startServer({ home: server.home, config: testConfig() }), {
    code: "usage",
    message: `Another server works with ${server.home}; use that one, end it, or set GLOVEBOX_HOME to another folder.`,
  });
});
