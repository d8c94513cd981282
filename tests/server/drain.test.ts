import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL_OWNER } from "../../src/server/owner.ts";
import { emptyHome, openTestServer } from "../support/server.ts";

test("A server that is asked to end lets running requests and background work finish", async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const background = Promise.withResolvers<void>();
  const server = await openTestServer({
    config: { limits: { drainMs: 60_000 } },
    mount: (app, parts) =>
      app.get("/running", async (c) => {
        parts.work.add(background.promise);
        begun.resolve();
        return c.text(await answer.promise);
      }),
  });
  const running = fetch(`${server.url}/running`);
  await begun.promise;
  let ended = false;
  const closing = server.close().then(() => {
    ended = true;
  });
  await assert.rejects(fetch(`${server.url}/healthz`), "nothing new is taken");
  answer.resolve("whole");
  assert.equal(await (await running).text(), "whole");
  assert.equal(ended, false);
  assert.equal(server.parts.ending.aborted, false);
  background.resolve();
  await closing;
});

test("What does not finish in time is told to end, and is waited for", async () => {
  const begun = Promise.withResolvers<void>();
  const server = await openTestServer({
    config: { limits: { drainMs: 1 } },
    mount: (app, parts) =>
      app.get("/endless", async (c) => {
        begun.resolve();
        await new Promise((resolve) => parts.ending.addEventListener("abort", resolve));
        return c.text("marked");
      }),
  });
  const endless = fetch(`${server.url}/endless`);
  await begun.promise;
  await server.close();
  assert.equal(await (await endless).text(), "marked");
});

test("A request on a connection that was open before is told to come back, and the connection is closed", async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const drained = Promise.withResolvers<Response>();
  const server = await openTestServer({
    config: { limits: { drainMs: 60_000 } },
    mount: (app, parts) =>
      app.get("/running", async (c) => {
        begun.resolve();
        await answer.promise;
        drained.resolve(await app.request("http://localhost/v1/files", {}, c.env));
        return c.json({
          ready: (await app.request("http://localhost/readyz")).status,
          draining: parts.draining.aborted,
        });
      }),
  });
  const running = fetch(`${server.url}/running`);
  await begun.promise;
  const closing = server.close();
  answer.resolve();
  assert.deepEqual(await (await running).json(), { ready: 503, draining: true });
  const refused = await drained.promise;
  assert.deepEqual(
    [refused.status, refused.headers.get("retry-after"), refused.headers.get("connection")],
    [503, "5", "close"],
  );
  await closing;
});

test("Sessions are closed and their files stay", async () => {
  const home = await emptyHome();
  const server = await openTestServer({ python: true, home });
  const { containers } = server.parts;
  const { id } = await containers.create(LOCAL_OWNER, { name: "kept" });
  const lease = await containers.open(LOCAL_OWNER, id);
  await lease.session.run("open('kept.txt', 'w').write('kept')");
  const { client } = server;
  const [file] = (await client().containers.files.list(id)).data;
  await server.close();
  await assert.rejects(lease.session.run("1"), { code: "session-closed" });
  await using next = await openTestServer({ home });
  const content = await next.client().containers.files.content.retrieve(file?.id ?? "", { container_id: id });
  assert.equal(await content.text(), "kept");
});
