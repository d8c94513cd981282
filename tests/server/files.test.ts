import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { toFile } from "openai";
import { failureOf, openTestServer, standingClock } from "../support/server.ts";

const clock = standingClock();
const server = await openTestServer({ now: clock.now, config: { limits: { fileBytes: 300_000 } } });
const client = server.client();

const upload = async (
  name: string,
  content: string | Uint8Array,
  purpose: "user_data" | "batch" = "user_data",
) => client.files.create({ file: await toFile(Buffer.from(content), name), purpose });

/** The contents that are on the disk, and what is on its way. */
async function contentsOnDisk(): Promise<string[]> {
  const entries = await readdir(join(server.home, "blobs"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function removeAll(): Promise<void> {
  for await (const file of client.files.list()) await client.files.delete(file.id);
}

test("An uploaded file is described, found again, given back whole, and deleted", async () => {
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, n) => n * n));
  const file = await upload("Verkäufe 2024.bin", content);
  assert.match(file.id, /^file-[0-9a-f]{48}$/);
  assert.deepEqual(file, {
    id: file.id,
    object: "file",
    bytes: 200_000,
    created_at: clock.now() / 1000,
    filename: "Verkäufe 2024.bin",
    purpose: "user_data",
    status: "processed",
  });
  assert.deepEqual(await client.files.retrieve(file.id), file);
  const answer = await client.files.content(file.id);
  assert.equal(answer.headers.get("content-length"), "200000");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment;/);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
  assert.deepEqual(await client.files.delete(file.id), { id: file.id, object: "file", deleted: true });
  assert.deepEqual(
    await failureOf(client.files.retrieve(file.id)).then(({ status, error }) => ({ status, error })),
    {
      status: 404,
      error: {
        message: `File with id '${file.id}' not found.`,
        type: "invalid_request_error",
        param: null,
        code: "not_found",
      },
    },
  );
  assert.deepEqual(await contentsOnDisk(), []);
});

test("Lists come page by page, in either order, and of one purpose", async () => {
  await removeAll();
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) await upload(name, name, name < "c" ? "batch" : "user_data");
  const namesOf = async (query: object) => {
    const found: string[] = [];
    for await (const file of client.files.list({ limit: 2, ...query })) found.push(file.filename);
    return found;
  };
  assert.deepEqual(await namesOf({ order: "asc" }), names);
  assert.deepEqual(await namesOf({}), names.toReversed());
  assert.deepEqual(await namesOf({ purpose: "batch" }), ["b", "a"]);
  const page = await client.files.list({ limit: 2, order: "asc" });
  const raw = (await (await fetch(`${server.url}/v1/files?limit=2&order=asc`)).json()) as Record<
    string,
    unknown
  >;
  assert.deepEqual(raw, {
    object: "list",
    data: page.data,
    first_id: page.data[0]?.id,
    last_id: page.data[1]?.id,
    has_more: true,
  });
  await removeAll();
});

test("A page that cannot be is refused by the name of what is wrong", async () => {
  const refusals = await Promise.all(
    [{ limit: 0 }, { order: "up" as "asc" }, { after: "file-0" }].map(async (query) => {
      const { status, error } = await failureOf(client.files.list(query));
      return [status, (error as { param: string }).param];
    }),
  );
  assert.deepEqual(refusals, [
    [400, "limit"],
    [400, "order"],
    [400, "after"],
  ]);
});

test("The same content is on the disk once, for as long as a file has it", async () => {
  await removeAll();
  const [one, other] = [await upload("one.txt", "same"), await upload("other.txt", "same")];
  assert.equal((await contentsOnDisk()).length, 1);
  await client.files.delete(one.id);
  assert.equal(await (await client.files.content(other.id)).text(), "same");
  await client.files.delete(other.id);
  assert.deepEqual(await contentsOnDisk(), []);
});

test("A file that is to expire does", async () => {
  const file = await client.files.create({
    file: await toFile(Buffer.from("soon gone"), "soon.txt"),
    purpose: "user_data",
    expires_after: { anchor: "created_at", seconds: 3600 },
  });
  assert.equal(file.expires_at, clock.now() / 1000 + 3600);
  clock.forward(3_599_000);
  assert.equal((await client.files.retrieve(file.id)).id, file.id);
  clock.forward(1_000);
  assert.equal((await failureOf(client.files.retrieve(file.id))).status, 404);
  assert.deepEqual((await client.files.list()).data, []);
  await server.sweep();
  assert.deepEqual(await contentsOnDisk(), []);
});

test("A file that is too large is refused, and nothing of it stays", async () => {
  const { status, error } = await failureOf(upload("large.bin", new Uint8Array(300_001)));
  assert.deepEqual([status, (error as { code: string }).code], [413, "request_too_large"]);
  assert.deepEqual(await contentsOnDisk(), []);
});

test("What a form lacks or has wrong is named", async () => {
  const post = async (fields: Record<string, string>, withFile: boolean) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    if (withFile) form.set("file", new File(["x"], "x.txt"));
    const answer = await fetch(`${server.url}/v1/files`, { method: "POST", body: form });
    const { error } = (await answer.json()) as { error: { param: string; code: string } };
    return [answer.status, error.param, error.code];
  };
  assert.deepEqual(await post({}, true), [400, "purpose", "missing_required_parameter"]);
  assert.deepEqual(await post({ purpose: "fun" }, true), [400, "purpose", "invalid_value"]);
  assert.deepEqual(await post({ purpose: "user_data" }, false), [400, "file", "missing_required_parameter"]);
  assert.deepEqual(
    await post(
      { purpose: "user_data", "expires_after[anchor]": "created_at", "expires_after[seconds]": "5" },
      true,
    ),
    [400, "expires_after.seconds", "invalid_value"],
  );
  assert.deepEqual(await contentsOnDisk(), []);
});

test("A form that breaks off, and a body that is none, are refused", async () => {
  const post = async (type: string, body: string) => {
    const answer = await fetch(`${server.url}/v1/files`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const begun = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nhalf of it';
  assert.equal(await post("multipart/form-data; boundary=b", begun), 400);
  assert.equal(await post("multipart/form-data", begun), 400);
  assert.equal(await post("application/json", "{}"), 415);
  assert.deepEqual(await contentsOnDisk(), []);
});
