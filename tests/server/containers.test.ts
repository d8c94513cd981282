import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { toFile } from "openai";
import { LOCAL_OWNER } from "../../src/server/owner.ts";
import { failureOf, openTestServer, standingClock } from "../support/server.ts";

const clock = standingClock();
const server = await openTestServer({ python: true, now: clock.now });
const client = server.client();
const { containers } = server.parts;

const text = (content: string, name: string) => toFile(Buffer.from(content), name);

async function run(id: string, code: string) {
  using lease = await containers.open(LOCAL_OWNER, id);
  return lease.session.run(code);
}

test("A container is made, found, listed by name and deleted", async () => {
  const made = await client.containers.create({
    name: "analysis",
    memory_limit: "4g",
    expires_after: { anchor: "last_active_at", minutes: 30 },
  });
  assert.match(made.id, /^cntr_[0-9a-f]{48}$/);
  const nowSeconds = clock.now() / 1000;
  assert.deepEqual(made, {
    id: made.id,
    object: "container",
    name: "analysis",
    created_at: nowSeconds,
    status: "running",
    last_active_at: nowSeconds,
    expires_after: { anchor: "last_active_at", minutes: 30 },
    memory_limit: "4g",
    network_policy: { type: "disabled" },
  });
  assert.deepEqual(await client.containers.retrieve(made.id), made);
  assert.deepEqual((await client.containers.list({ name: "analysis" })).data, [made]);
  assert.deepEqual((await client.containers.list({ name: "another" })).data, []);
  assert.deepEqual(await client.containers.delete(made.id), {
    id: made.id,
    object: "container.deleted",
    deleted: true,
  });
  const { status, error } = await failureOf(client.containers.retrieve(made.id));
  assert.deepEqual([status, (error as Error).message], [404, `Container with id '${made.id}' not found.`]);
});

test("Containers and their files come page by page", async () => {
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) ids.push((await client.containers.create({ name })).id);
  const listed: string[] = [];
  for await (const container of client.containers.list({ limit: 1, order: "asc" })) listed.push(container.id);
  assert.deepEqual(listed, ids);
  const [id = ""] = ids;
  for (const name of ["a", "b", "c"])
    await client.containers.files.create(id, { file: await text(name, name) });
  const paths: string[] = [];
  for await (const file of client.containers.files.list(id, { limit: 2 })) paths.push(file.path);
  assert.deepEqual(paths, ["/mnt/data/c", "/mnt/data/b", "/mnt/data/a"]);
  for (const one of ids) await client.containers.delete(one);
});

test("Files come from a form or from an uploaded file, and no Python is started for them", async () => {
  const uploaded = await client.files.create({
    file: await text("a,b\n1,2\n", "t.csv"),
    purpose: "user_data",
  });
  const { id } = await client.containers.create({ name: "files", file_ids: [uploaded.id] });
  const sent = await client.containers.files.create(id, { file: await text("hello", "hello.txt") });
  assert.match(sent.id, /^cfile_[0-9a-f]{48}$/);
  assert.deepEqual(sent, {
    id: sent.id,
    object: "container.file",
    container_id: id,
    created_at: clock.now() / 1000,
    bytes: 5,
    path: "/mnt/data/hello.txt",
    source: "user",
  });
  const other = await client.files.create({ file: await text("x", "other.txt"), purpose: "user_data" });
  const copied = await client.containers.files.create(id, { file_id: other.id });
  const listed = (await client.containers.files.list(id, { order: "asc" })).data;
  assert.deepEqual(
    listed.map(({ path, bytes, source }) => [path, bytes, source]),
    [
      ["/mnt/data/t.csv", 8, "user"],
      ["/mnt/data/hello.txt", 5, "user"],
      ["/mnt/data/other.txt", 1, "user"],
    ],
  );
  assert.deepEqual(await client.containers.files.retrieve(sent.id, { container_id: id }), sent);
  const content = await client.containers.files.content.retrieve(sent.id, { container_id: id });
  assert.equal(await content.text(), "hello");
  assert.deepEqual(await client.containers.files.delete(copied.id, { container_id: id }), {
    id: copied.id,
    object: "container.file.deleted",
    deleted: true,
  });
  assert.equal(
    (await failureOf(client.containers.files.retrieve(copied.id, { container_id: id }))).status,
    404,
  );
  assert.equal(containers.sessionCount, 0);
  const seen = await run(id, "import os; sorted(os.listdir('/mnt/data'))");
  assert.deepEqual(seen.kind === "object" && seen.json, ["hello.txt", "t.csv"]);
  await client.containers.delete(id);
});

test("Two uploaded files of one name stand beside each other", async () => {
  const ids: string[] = [];
  for (const content of ["first", "second"])
    ids.push((await client.files.create({ file: await text(content, "same.txt"), purpose: "user_data" })).id);
  const { id } = await client.containers.create({ name: "twice", file_ids: ids });
  const { data } = await client.containers.files.list(id, { order: "asc" });
  assert.deepEqual(
    data.map(({ path }) => path),
    ["/mnt/data/same.txt", "/mnt/data/same-2.txt"],
  );
  await client.containers.delete(id);
});

test("What cells make, change and remove is in the list, and a file keeps its id", async () => {
  const { id } = await client.containers.create({ name: "cells" });
  const sent = await client.containers.files.create(id, { file: await text("1", "in.txt") });
  const result = await run(
    id,
    "import os\nos.makedirs('out')\nopen('out/made.txt','w').write('made')\nopen('in.txt','w').write('12')",
  );
  const noted = await containers.noteFiles(LOCAL_OWNER, id, result.files ?? []);
  assert.deepEqual(noted.map(({ path, bytes, source }) => [path, bytes, source]).toSorted(), [
    ["/mnt/data/in.txt", 2, "user"],
    ["/mnt/data/out/made.txt", 4, "assistant"],
  ]);
  assert.equal(noted.find(({ path }) => path.endsWith("in.txt"))?.id, sent.id);
  const made = noted.find(({ path }) => path.endsWith("made.txt"));
  const content = await client.containers.files.content.retrieve(made?.id ?? "", { container_id: id });
  assert.equal(await content.text(), "made");
  await run(id, "os.remove('in.txt'); open('silent.txt', 'w').write('x')");
  const { data } = await client.containers.files.list(id, { order: "asc" });
  assert.deepEqual(
    data.map(({ path }) => path),
    ["/mnt/data/out/made.txt", "/mnt/data/silent.txt"],
  );
  assert.equal(
    (await failureOf(client.containers.files.retrieve(sent.id, { container_id: id }))).status,
    404,
  );
  await client.containers.files.create(id, { file: await text("anew", "silent.txt") });
  const read = await run(id, "open('silent.txt').read()");
  assert.equal(read.kind === "object" && read.json, "anew");
  await client.containers.files.delete(data[1]?.id ?? "", { container_id: id });
  const there = await run(id, "os.path.exists('silent.txt')");
  assert.equal(there.kind === "object" && there.json, false);
  await client.containers.delete(id);
});

test("Memory is bounded by the container's tier", async () => {
  const { id } = await client.containers.create({ name: "small" });
  const larger = await client.containers.create({ name: "larger", memory_limit: "4g" });
  const code = "data = bytes(1_500_000_000); len(data)";
  const [small, large] = [await run(id, code), await run(larger.id, code)];
  assert.equal(small.kind === "error" && small.name, "MemoryError");
  assert.equal(large.kind === "object" && large.json, 1_500_000_000);
  await client.containers.delete(id);
  await client.containers.delete(larger.id);
});

test("Deleting a container ends its session and removes its files", async () => {
  const { id } = await client.containers.create({ name: "gone" });
  const lease = await containers.open(LOCAL_OWNER, id);
  await lease.session.run("open('kept.txt', 'w').write('x')");
  await access(join(server.home, "sessions", id, "files", "kept.txt"));
  const running = lease.session.run("import time; time.sleep(60)");
  await Promise.all([assert.rejects(running, { code: "session-closed" }), client.containers.delete(id)]);
  lease[Symbol.dispose]();
  await assert.rejects(access(join(server.home, "sessions", id)), { code: "ENOENT" });
  assert.equal(containers.sessionCount, 0);
});

test("What is not offered is refused by its name", async () => {
  const refusal = async (body: object) => {
    const { status, error } = await failureOf(client.containers.create({ name: "x", ...body }));
    const { param, code } = error as { param: string; code: string };
    return [status, param, code];
  };
  assert.deepEqual(
    await refusal({ network_policy: { type: "allowlist", allowed_domains: ["example.org"] } }),
    [400, "network_policy", "unsupported_value"],
  );
  assert.deepEqual(await refusal({ skills: [{ type: "skill_reference", skill_id: "s" }] }), [
    400,
    "skills",
    "unsupported_value",
  ]);
  assert.deepEqual(await refusal({ memory_limit: "2g" }), [400, "memory_limit", "invalid_value"]);
  assert.deepEqual(await refusal({ file_ids: ["file-unknown"] }), [404, null, "not_found"]);
  assert.deepEqual(await refusal({ name: undefined }), [400, "name", "missing_required_parameter"]);
  assert.deepEqual((await client.containers.list()).data, []);
});
