import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import {
  openHostedContainer,
  projectHostMounts,
} from "../../src/tools/openai-code-interpreter/hosted-container.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import {
  attachFile,
  uploadFile,
  uploadIntoContainer,
} from "../../src/tools/openai-code-interpreter/uploads.ts";
import { startOpenAIServer } from "./openai-server.ts";
import { codeCall, message, response } from "./recorded.ts";

const server = await startOpenAIServer();
const client = server.client();
const root = await mkdtemp(join(tmpdir(), "glovebox-uploads-"));
after(() => rm(root, { recursive: true, force: true }));

beforeEach(async () => {
  server.requests.length = 0;
  server.containers.clear();
  server.onRequest = async () => {};
  await rm(join(root, "sunfish"), { recursive: true, force: true });
});

async function hostFile(path: string, text: string): Promise<string> {
  const whole = join(root, path);
  await mkdir(join(whole, ".."), { recursive: true });
  await writeFile(whole, text);
  return whole;
}

function mounted(mount: { includeGlobs?: string[]; excludeGlobs?: string[]; maxBytes?: number } = {}) {
  const host_mounts = [{ hostPath: join(root, "sunfish"), mountPath: "workspace/sunfish", ...mount }];
  return new OpenAICodeInterpreterTool({ container: { type: "auto", memory_limit: "4g", host_mounts } });
}

test("a file of the host is uploaded, its extension in small letters", async () => {
  const path = await hostFile("Sales.CSV", "a,b\n1,2\n");
  const uploaded = await uploadFile(path, { client });
  assert.match(uploaded.fileId, /^file-\d+$/);
  assert.deepEqual(uploaded, { fileId: uploaded.fileId, name: "Sales.csv", bytes: 8 });
  assert.deepEqual(server.requests, [
    {
      line: "POST /files",
      body: { purpose: "user_data", file: { name: "Sales.csv", bytes: 8, text: "a,b\n1,2\n" } },
    },
  ]);
});

test("a file goes straight into a container, and one that was uploaded before is attached", async () => {
  server.addContainer("cntr_1");
  const path = await hostFile("notes.md", "# notes\n");
  const sent = await uploadIntoContainer(path, "cntr_1", { client });
  const attached = await attachFile("file-7", "cntr_1", { client });
  assert.deepEqual(
    [sent.path, attached.path],
    [
      "/mnt/data/0123456789abcdef0123456789abcdef-notes.md",
      "/mnt/data/0123456789abcdef0123456789abcdef-file-7",
    ],
  );
  assert.deepEqual(server.bodies("POST /containers/cntr_1/files"), [
    { file: { name: "notes.md", bytes: 8, text: "# notes\n" } },
    { file_id: "file-7" },
  ]);
});

test("a file that OpenAI would refuse is refused before any request", async () => {
  const binary = await hostFile("tool.exe", "MZ");
  const bare = await hostFile("Makefile", "all:\n");
  const large = await hostFile("large.csv", "");
  await truncate(large, 512 * 1024 * 1024 + 1);
  const folder = join(root, "folder.zip");
  await mkdir(folder, { recursive: true });
  await assert.rejects(uploadFile(binary, { client }), { code: "file-kind", message: /takes \.c .*\.csv/ });
  await assert.rejects(uploadFile(bare, { client }), { code: "file-kind" });
  await assert.rejects(uploadFile(large, { client }), { code: "file-too-large", message: /536870912/ });
  await assert.rejects(uploadFile(folder, { client }), { code: "file-kind", message: /not a file/ });
  await assert.rejects(uploadFile(join(root, "missing.csv"), { client }), { code: "file-missing" });
  await assert.rejects(uploadIntoContainer(binary, "cntr_1", { client }), { code: "file-kind" });
  assert.deepEqual(server.requests, []);
  await rm(large);
});

test("host mounts are copied into a new container by their globs, and the model is told where", async () => {
  await hostFile("sunfish/engine.py", "print('engine')\n");
  await hostFile("sunfish/docs/README.md", "# sunfish\n");
  await hostFile("sunfish/docs/secret.py", "KEY = 1\n");
  await hostFile("sunfish/build.log", "log\n");
  await hostFile("outside.py", "outside\n");
  await symlink(join(root, "outside.py"), join(root, "sunfish/link.py"));
  const tool = mounted({
    includeGlobs: ["**/*.py", "**/*.md"],
    excludeGlobs: ["**/secret.py"],
    maxBytes: 600,
  });
  server.answerWith(response([codeCall({ container: "cntr_any" }), message("read")]));
  const run = await runHosted({ tool, client, model: "gpt-5.1", input: "Read it.", roots: [root] });
  const [id] = server.containers.keys();
  assert.deepEqual(server.lines, [
    "POST /containers",
    `POST /containers/${id}/files`,
    `POST /containers/${id}/files`,
    "POST /responses",
  ]);
  assert.deepEqual(server.bodies("POST /containers"), [{ name: "glovebox", memory_limit: "4g" }]);
  assert.deepEqual(server.bodies(`POST /containers/${id}/files`), [
    { file: { name: "README.md", bytes: 10, text: "# sunfish\n" } },
    { file: { name: "engine.py", bytes: 16, text: "print('engine')\n" } },
  ]);
  const hex = "0123456789abcdef0123456789abcdef";
  assert.deepEqual(
    run.files.map(({ fileId: _, ...file }) => file),
    [
      { path: "workspace/sunfish/docs/README.md", containerPath: `/mnt/data/${hex}-README.md`, bytes: 10 },
      { path: "workspace/sunfish/engine.py", containerPath: `/mnt/data/${hex}-engine.py`, bytes: 16 },
    ],
  );
  const [body] = server.bodies("POST /responses") as [
    { tools: unknown; input: { content: { text: string }[] }[] },
  ];
  assert.deepEqual(body.tools, [{ type: "code_interpreter", container: id }]);
  assert.match(
    body.input[0]?.content[0]?.text ?? "",
    /"workspace\/sunfish\/engine\.py": "\/mnt\/data\/[0-9a-f]+-engine\.py"/,
  );
  assert.deepEqual(run.tool.container, { id, memory_limit: "4g" });
});

test("a mount that may not be copied is refused before any request", async () => {
  await hostFile("sunfish/engine.py", "print('engine')\n");
  await hostFile("sunfish/build.log", "log\n");
  const options = { client, roots: [root] };
  const refused: [OpenAICodeInterpreterTool, object][] = [
    [mounted({ includeGlobs: ["*.py"], maxBytes: 5 }), { code: "file-too-large" }],
    [mounted({ includeGlobs: ["*.log"] }), { code: "file-kind", message: /build\.log/ }],
    [mounted({ includeGlobs: ["*.nothing"] }), { code: "file-missing", message: /widen its globs/ }],
  ];
  for (const [tool, error] of refused) await assert.rejects(openHostedContainer(tool, options), error);
  const elsewhere = { client, roots: [join(root, "allowed")] };
  await assert.rejects(openHostedContainer(mounted({ includeGlobs: ["*.py"] }), elsewhere), {
    code: "file-name",
  });
  assert.deepEqual(server.requests, []);
});

test("a file that something else has taken the place of is not sent, and the container is taken away again", async () => {
  const outside = await hostFile("outside.py", "outside\n");
  const inside = await hostFile("sunfish/engine.py", "print('engine')\n");
  server.onRequest = async (line) => {
    if (line !== "POST /containers") return;
    await rm(inside);
    await symlink(outside, inside);
  };
  const opening = openHostedContainer(mounted({ includeGlobs: ["engine.py"] }), { client, roots: [root] });
  await assert.rejects(opening, { name: "GloveboxError", message: /engine\.py/ });
  assert.deepEqual([...server.containers], []);
  assert.doesNotMatch(JSON.stringify(server.requests), /outside/);
});

test("mounts are copied into a container that exists", async () => {
  await hostFile("sunfish/engine.py", "print('engine')\n");
  server.addContainer("cntr_1");
  const mount = { hostPath: join(root, "sunfish/engine.py"), mountPath: "engine.py" };
  const files = await projectHostMounts("cntr_1", [mount], { client, roots: [root] });
  assert.deepEqual(
    files.map(({ path, bytes }) => [path, bytes]),
    [["engine.py", 16]],
  );
});
