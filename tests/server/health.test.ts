import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, openTestServer } from "../support/server.ts";

const server = await openTestServer({
  version: "1.2.3",
  config: { model: "ollama/some-model", modelAliases: { "gpt-4.1": "offline", "*": "offline" } },
});

test("The server says that it lives and is ready", async () => {
  const ask = async (path: string) => {
    const answer = await fetch(server.url + path);
    return [answer.status, await answer.json()];
  };
  assert.deepEqual(await ask("/healthz"), [200, { status: "ok" }]);
  assert.deepEqual(await ask("/readyz"), [200, { status: "ready" }]);
});

test("Every answer has an id, and an unknown address is told so", async () => {
  const answer = await fetch(`${server.url}/v1/nothing`, { method: "POST" });
  assert.match(answer.headers.get("x-request-id") ?? "", /^req_[0-9a-f]{48}$/);
  assert.deepEqual(
    [answer.status, await answer.json()],
    [
      404,
      {
        error: {
          message: "Invalid URL (POST /v1/nothing)",
          type: "invalid_request_error",
          param: null,
          code: null,
        },
      },
    ],
  );
});

test("Requests, their time and the bytes of files are counted for Prometheus", async () => {
  await using own = await openTestServer();
  const client = own.client();
  const { id } = await client.files.create({ file: new File(["12345"], "five.txt"), purpose: "user_data" });
  await (await client.files.content(id)).text();
  await failureOf(client.files.retrieve("file-none"));
  await fetch(`${own.url}/v1/${"x".repeat(100)}`);
  const answer = await fetch(`${own.url}/metrics`);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const lines = (await answer.text()).split("\n");
  for (const line of [
    'glovebox_requests_total{method="POST",route="/v1/files",status="200"} 1',
    'glovebox_requests_total{method="GET",route="/v1/files/:id",status="404"} 1',
    'glovebox_requests_total{method="GET",route="other",status="404"} 1',
    'glovebox_bytes_total{direction="in"} 5',
    'glovebox_bytes_total{direction="out"} 5',
    "glovebox_sessions 0",
    'glovebox_request_duration_seconds_bucket{method="POST",route="/v1/files",le="+Inf"} 1',
    'glovebox_request_duration_seconds_count{method="POST",route="/v1/files"} 1',
  ]) {
    assert.ok(lines.includes(line), line);
  }
  for (const line of lines.filter((each) => each !== "" && !each.startsWith("#")))
    assert.match(line, /^[a-z_]+(?:\{(?:[a-z]+="[^"\\]*",?)+\})? [0-9.e+-]+$/);
});

test("The server's own OpenAPI document describes what it does", async () => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    openapi: string;
    info: { version: string };
    paths: Record<
      string,
      Record<string, { requestBody?: { content: object }; parameters: { name: string }[] }>
    >;
  };
  assert.deepEqual([document.openapi, document.info.version], ["3.1.0", "1.2.3"]);
  const files = document.paths["/v1/containers/{container_id}/files"];
  assert.deepEqual(Object.keys(files ?? {}).sort(), ["get", "post"]);
  assert.deepEqual(Object.keys(files?.post?.requestBody?.content ?? {}), [
    "application/json",
    "multipart/form-data",
  ]);
  assert.deepEqual(
    files?.get?.parameters.map(({ name }) => name),
    ["container_id", "limit", "order", "after"],
  );
});

test("The models that can be named are listed: the server's own, the offline one, other names for them", async () => {
  const client = server.client();
  const ids = (await client.models.list()).data.map(({ id }) => id);
  assert.deepEqual(ids.slice(0, 3), ["ollama/some-model", "offline", "gpt-4.1"]);
  const { created, ...model } = await client.models.retrieve("ollama/some-model");
  assert.deepEqual(model, { id: "ollama/some-model", object: "model", owned_by: "ollama" });
  assert.equal(Number.isInteger(created), true);
  const { status, error } = await failureOf(client.models.retrieve("no-such-model"));
  assert.deepEqual([status, (error as { code: string }).code], [404, "model_not_found"]);
});

test("A request's name for a model is the server's own, another name for one, or the model's", async () => {
  const names = await Promise.all(
    ["gpt-4.1", "a name that nobody knows", "offline"].map(async (name) => {
      return (await server.parts.openModel(name)).name;
    }),
  );
  assert.deepEqual(names, ["offline", "offline", "offline"]);
  for (const name of [undefined, "default"])
    assert.equal((await server.parts.openModel(name)).name, "ollama/some-model");
});
