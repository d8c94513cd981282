import assert from "node:assert/strict";
import { test } from "node:test";
import { GloveboxError } from "../../src/errors.ts";
import { createContainer, retrieveContainer } from "../../src/tools/openai-code-interpreter/containers.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import { attachFile } from "../../src/tools/openai-code-interpreter/uploads.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { startOpenAIServer } from "./openai-server.ts";

const server = await startOpenAIServer();

const refused: [string, unknown, RegExp][] = [
  ["no container", undefined, /has no container; give \{ type: "auto" \}/],
  ["an empty container", {}, /has no container/],
  [
    "a memory tier that there is not",
    { type: "auto", memory_limit: "2g" },
    /memory_limit: must be one of 1g, 4g, 16g, 64g/,
  ],
  [
    "a memory tier on an existing container",
    { id: "cntr_1", memory_limit: "huge" },
    /memory_limit: must be one of/,
  ],
  ["another type", { type: "manual" }, /container\.type/],
  ["an empty id", { id: "" }, /container\.id: must be an id as OpenAI gave it/],
  ["an id that is a path", { id: "../files" }, /container\.id: must be an id/],
  [
    "51 files",
    { type: "auto", file_ids: Array.from({ length: 51 }, (_, n) => `file-${n}`) },
    /at most 50 files/,
  ],
  ["a file id that is a path", { type: "auto", file_ids: ["a/b"] }, /container\.file_ids\.0: must be an id/],
  ["a setting that there is not", { type: "auto", memory: "4g" }, /Unrecognized key: "memory"/],
  [
    "a mount without a path",
    { type: "auto", host_mounts: [{ hostPath: "", mountPath: "x" }] },
    /host_mounts\.0\.hostPath/,
  ],
];

for (const [what, container, message] of refused) {
  test(`${what} is refused before any request`, async () => {
    const run = async () =>
      runHosted({
        tool: new OpenAICodeInterpreterTool({ container: container as { type: "auto" } }),
        client: server.client(),
        model: "gpt-5.1",
        input: "hello",
      });
    await assert.rejects(run, (error) => {
      assert.ok(error instanceof GloveboxError);
      assert.equal(error.code, "provider-tool");
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(server.requests, []);
  });
}

test("what helpers are given is refused before any request", async () => {
  const client = server.client();
  const asked = [
    () => createContainer({ client, memoryLimit: "2g" as "1g" }),
    () => createContainer({ client, fileIds: ["a b"] }),
    () => retrieveContainer("cntr_1/files", { client }),
    () => attachFile("file-1", "..", { client }),
    () => attachFile("", "cntr_1", { client }),
  ];
  for (const ask of asked) await assert.rejects(ask, { name: "GloveboxError", code: "provider-tool" });
  assert.deepEqual(server.requests, []);
});

test("without a key nothing is asked, and the key is named", async () => {
  const { OPENAI_API_KEY: kept } = process.env;
  delete process.env.OPENAI_API_KEY;
  try {
    await assert.rejects(createContainer(), { code: "provider-tool", message: /set OPENAI_API_KEY/ });
  } finally {
    if (kept !== undefined) process.env.OPENAI_API_KEY = kept;
  }
});

test("an automatic container has one gigabyte unless told", () => {
  const tool = new OpenAICodeInterpreterTool({ container: { type: "auto" } });
  assert.deepEqual(tool.config, { container: { type: "auto", memory_limit: "1g" } });
  assert.deepEqual(tool.hosted(), {
    type: "code_interpreter",
    container: { type: "auto", memory_limit: "1g" },
  });
});

test("an existing container is declared by its id", () => {
  const tool = new OpenAICodeInterpreterTool({ container: { id: "cntr_1", memory_limit: "4g" } });
  assert.deepEqual(tool.hosted(), { type: "code_interpreter", container: "cntr_1" });
});

test("uploaded files are added up to fifty", () => {
  const tool = new OpenAICodeInterpreterTool({ container: { type: "auto", file_ids: ["file-a"] } });
  assert.deepEqual(tool.withFiles("file-b", "file-c").hosted(), {
    type: "code_interpreter",
    container: { type: "auto", memory_limit: "1g", file_ids: ["file-a", "file-b", "file-c"] },
  });
  const many = Array.from({ length: 50 }, (_, n) => `file-${n}`);
  assert.throws(() => tool.withFiles(...many), { code: "provider-tool", message: /at most 50/ });
  const existing = new OpenAICodeInterpreterTool({ container: { id: "cntr_1" } });
  assert.throws(() => existing.withFiles("file-b"), { code: "provider-tool", message: /attachFile/ });
});

test("host mounts are not declared before their files are in a container", () => {
  const tool = new OpenAICodeInterpreterTool({
    container: { type: "auto", host_mounts: [{ hostPath: "reports", mountPath: "reports" }] },
  });
  assert.throws(() => tool.hosted(), { code: "provider-tool", message: /"reports".*openHostedContainer/ });
});

test("a registry declares it in place of a function and refuses it for a model of another provider", () => {
  const registry = new ToolRegistry([
    new OpenAICodeInterpreterTool({ container: { type: "auto", memory_limit: "16g" } }),
  ]);
  assert.deepEqual(registry.specs(), [
    { type: "code_interpreter", container: { type: "auto", memory_limit: "16g" } },
  ]);
  registry.checkProvider("openai");
  assert.throws(() => registry.checkProvider("anthropic"), {
    code: "provider-tool",
    message: /"openai_python" is run by openai, but the model is of anthropic/,
  });
});
