import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import {
  createContainer,
  deleteContainer,
  listContainers,
  retrieveContainer,
} from "../../src/tools/openai-code-interpreter/containers.ts";
import { openHostedContainer } from "../../src/tools/openai-code-interpreter/hosted-container.ts";
import type { HostedEvent } from "../../src/tools/openai-code-interpreter/hosted-events.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import { startOpenAIServer } from "./openai-server.ts";
import { codeCall, message, refusal, response } from "./recorded.ts";

const server = await startOpenAIServer();
const client = server.client();
const root = await mkdtemp(join(tmpdir(), "glovebox-containers-"));
after(() => rm(root, { recursive: true, force: true }));

beforeEach(() => {
  server.requests.length = 0;
  server.containers.clear();
});

const onContainer = (id: string) => new OpenAICodeInterpreterTool({ container: { id } });

test("a container is made, read, listed over pages and deleted", async () => {
  const made = await createContainer({
    client,
    name: "analysis",
    memoryLimit: "16g",
    fileIds: ["file-1"],
    expiresAfterMinutes: 5,
  });
  assert.deepEqual(server.bodies("POST /containers"), [
    {
      name: "analysis",
      memory_limit: "16g",
      file_ids: ["file-1"],
      expires_after: { anchor: "last_active_at", minutes: 5 },
    },
  ]);
  for (const id of ["cntr_a", "cntr_b", "cntr_c"]) server.addContainer(id);
  assert.deepEqual(await retrieveContainer(made.id, { client }), {
    id: made.id,
    name: made.id,
    status: "running",
    expired: false,
    createdAt: new Date(1762304490_000),
    lastActiveAt: new Date(1762304497_000),
    memoryTier: "16g",
  });
  const ids = async (limit?: number) =>
    (await listContainers({ client, ...(limit === undefined ? {} : { limit }) })).map(({ id }) => id);
  assert.deepEqual(await ids(), [made.id, "cntr_a", "cntr_b", "cntr_c"]);
  assert.deepEqual(await ids(3), [made.id, "cntr_a", "cntr_b"]);
  await deleteContainer(made.id, { client });
  await assert.rejects(retrieveContainer(made.id, { client }), { code: "container-expired" });
});

test("an existing container is looked at before it is used, and its memory tier is known", async () => {
  server.addContainer("cntr_1", { memory: "16g" });
  server.answerWith(response([codeCall({ container: "cntr_1" }), message("ok")]));
  const run = await runHosted({ tool: onContainer("cntr_1"), client, model: "gpt-5.1", input: "Go." });
  assert.deepEqual([run.containerId, run.memoryTier], ["cntr_1", "16g"]);
  assert.deepEqual(server.lines, ["GET /containers/cntr_1", "POST /responses"]);
});

test("a container of another size than was named is refused before the model is asked", async () => {
  server.addContainer("cntr_1", { memory: "1g" });
  const tool = new OpenAICodeInterpreterTool({ container: { id: "cntr_1", memory_limit: "64g" } });
  await assert.rejects(runHosted({ tool, client, model: "gpt-5.1", input: "Go." }), {
    code: "provider-tool",
    message: /has 1g of memory, not 64g/,
  });
  assert.deepEqual(server.lines, ["GET /containers/cntr_1"]);
});

test("an expired or unknown container is told before the model is asked", async () => {
  server.addContainer("cntr_old", { status: "expired" });
  for (const id of ["cntr_old", "cntr_unknown"]) {
    const events: HostedEvent[] = [];
    const run = runHosted({
      tool: onContainer(id),
      client,
      model: "gpt-5.1",
      input: "Go.",
      onEvent: (event) => events.push(event),
    });
    await assert.rejects(run, {
      code: "container-expired",
      message: new RegExp(`${id} has expired.*onExpired: "new"`),
    });
    assert.deepEqual(events, [
      { type: "container-expired", model: "gpt-5.1", memoryTier: "1g", containerId: id, renewed: false },
    ]);
  }
  assert.deepEqual(server.lines, ["GET /containers/cntr_old", "GET /containers/cntr_unknown"]);
});

test("where that is allowed, an expired container is followed by a new one of its size", async () => {
  server.addContainer("cntr_old", { status: "expired" });
  server.answerWith(response([message("ok")]));
  const events: HostedEvent[] = [];
  const run = await runHosted({
    tool: new OpenAICodeInterpreterTool({ container: { id: "cntr_old", memory_limit: "4g" } }),
    client,
    model: "gpt-5.1",
    input: "Go.",
    onExpired: "new",
    onEvent: (event) => events.push(event),
  });
  const made = [...server.containers.keys()].at(-1);
  assert.deepEqual(
    [run.containerId, run.memoryTier, run.tool.container],
    [made, "4g", { id: made, memory_limit: "4g" }],
  );
  assert.deepEqual(server.bodies("POST /containers"), [{ name: "glovebox", memory_limit: "4g" }]);
  assert.deepEqual(
    events.map(({ type, containerId }) => [type, containerId]),
    [
      ["container-expired", "cntr_old"],
      ["container-open", made],
      ["hosted-request", made],
      ["hosted-response", made],
    ],
  );
});

test("a container that expires between the look and the use is followed by a new one too", async () => {
  server.addContainer("cntr_1");
  server.answerWith(refusal("Container is expired."), { status: 400 });
  server.answerWith(response([message("ok")]));
  const run = await runHosted({
    tool: onContainer("cntr_1"),
    client,
    model: "gpt-5.1",
    input: "Go.",
    onExpired: "new",
  });
  assert.match(run.containerId ?? "", /^cntr_made_/);
});

test("a new container gets the host's files again", async () => {
  await writeFile(join(root, "data.csv"), "a\n1\n");
  const mount = { hostPath: join(root, "data.csv"), mountPath: "data.csv" };
  const tool = new OpenAICodeInterpreterTool({ container: { type: "auto", host_mounts: [mount] } });
  const opened = await openHostedContainer(tool, { client, roots: [root] });
  const first = server.containers.get(opened.id);
  assert.ok(first);
  first.status = "expired";
  server.answerWith(response([message("ok")]));
  const run = await runHosted({
    tool: opened.tool,
    client,
    roots: [root],
    model: "gpt-5.1",
    input: "Go.",
    onExpired: "new",
  });
  assert.notEqual(run.containerId, opened.id);
  assert.deepEqual(
    run.files.map(({ path, bytes }) => [path, bytes]),
    [["data.csv", 4]],
  );
});

test("an expired container of an earlier response is told, not renewed", async () => {
  const tool = new OpenAICodeInterpreterTool({ container: { type: "auto" } });
  server.answerWith(refusal("Container is expired."), { status: 400 });
  const run = runHosted({
    tool,
    client,
    model: "m",
    input: "Go.",
    previousResponseId: "resp_1",
    onExpired: "new",
  });
  await assert.rejects(run, { code: "container-expired", message: /of an earlier call/ });
});

test("a container made for a request that is refused is taken away again", async () => {
  await writeFile(join(root, "data.csv"), "a\n1\n");
  const mount = { hostPath: join(root, "data.csv"), mountPath: "data.csv" };
  const tool = new OpenAICodeInterpreterTool({ container: { type: "auto", host_mounts: [mount] } });
  server.answerWith(refusal("Unsupported model."), { status: 400 });
  await assert.rejects(runHosted({ tool, client, roots: [root], model: "m", input: "Go." }), {
    code: "model-refused",
  });
  assert.deepEqual([...server.containers], []);
});
