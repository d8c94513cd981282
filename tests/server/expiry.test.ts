import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL_OWNER } from "../../src/server/owner.ts";
import { emptyHome, failureOf, openTestServer, standingClock, type TestServer } from "../support/server.ts";

const MINUTE_MS = 60_000;
const LOST = "It goes on with its files; the variables and imports of earlier cells are gone.";

/** A container with a variable and a file. */
async function used(server: TestServer): Promise<string> {
  const { id } = await server.client().containers.create({ name: "used" });
  using lease = await server.parts.containers.open(LOCAL_OWNER, id);
  await lease.session.run("x = 42; open('kept.txt', 'w').write('kept')");
  return id;
}

async function lookInside(
  server: TestServer,
  id: string,
): Promise<{ revived: string | undefined; value: unknown }> {
  using lease = await server.parts.containers.open(LOCAL_OWNER, id);
  const result = await lease.session.run("[open('kept.txt').read(), globals().get('x')]");
  return { revived: lease.revived, value: result.kind === "object" ? result.json : result };
}

const statusOf = async (server: TestServer, id: string) =>
  (await server.client().containers.retrieve(id)).status;

test("A container expires when it was not used, and goes on with its files under the same id", async () => {
  const clock = standingClock();
  await using server = await openTestServer({ python: true, now: clock.now });
  const id = await used(server);
  clock.forward(19 * MINUTE_MS);
  assert.deepEqual(await lookInside(server, id), { revived: undefined, value: ["kept", 42] });
  clock.forward(19 * MINUTE_MS);
  assert.equal(await statusOf(server, id), "running", "use counts from the last one, and looking is a use");
  clock.forward(20 * MINUTE_MS);
  assert.equal(await statusOf(server, id), "expired");
  assert.equal(server.parts.containers.sessionCount, 1);
  await server.sweep();
  assert.equal(server.parts.containers.sessionCount, 0);
  assert.deepEqual(await lookInside(server, id), {
    revived: `The container was not used for 20 minutes and had expired. ${LOST}`,
    value: ["kept", null],
  });
  assert.equal(await statusOf(server, id), "running");
  assert.equal((await lookInside(server, id)).revived, undefined);
});

test("A container whose cell runs does not expire", async () => {
  const clock = standingClock();
  await using server = await openTestServer({ python: true, now: clock.now });
  const id = await used(server);
  const lease = await server.parts.containers.open(LOCAL_OWNER, id);
  clock.forward(60 * MINUTE_MS);
  await server.sweep();
  assert.equal(await statusOf(server, id), "running");
  const result = await lease.session.run("x");
  assert.equal(result.kind === "object" && result.json, 42);
  lease[Symbol.dispose]();
  clock.forward(19 * MINUTE_MS);
  assert.deepEqual(await lookInside(server, id), { revived: undefined, value: ["kept", 42] });
});

test("Where the configuration says so, an expired container is OpenAI's error", async () => {
  const clock = standingClock();
  await using server = await openTestServer({
    python: true,
    now: clock.now,
    config: { containerExpired: "error", containerMinutes: 1 },
  });
  const id = await used(server);
  clock.forward(MINUTE_MS);
  const body = {
    error: { message: "Container is expired.", type: "invalid_request_error", param: null, code: null },
  };
  await assert.rejects(server.parts.containers.open(LOCAL_OWNER, id), { status: 400, body });
  const file = new File(["x"], "x.txt");
  const { status, error } = await failureOf(server.client().containers.files.create(id, { file }));
  assert.deepEqual([status, error], [400, body.error]);
  assert.equal(await statusOf(server, id), "expired");
});

test("After a new start of the server a container says that its variables are gone", async () => {
  const clock = standingClock();
  const home = await emptyHome();
  const before = await openTestServer({ python: true, now: clock.now, home });
  const id = await used(before);
  const { id: unused } = await before.client().containers.create({ name: "unused" });
  await before.close();
  await using after = await openTestServer({ python: true, now: clock.now, home });
  assert.equal(await statusOf(after, id), "running");
  assert.deepEqual(await lookInside(after, id), {
    revived: `The server was started anew. ${LOST}`,
    value: ["kept", null],
  });
  using lease = await after.parts.containers.open(LOCAL_OWNER, unused);
  assert.equal(lease.revived, undefined, "where nothing was run, nothing is lost");
});
