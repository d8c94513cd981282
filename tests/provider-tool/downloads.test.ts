import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import type { FileCitation } from "../../src/protocol/items.ts";
import { downloadCitations } from "../../src/tools/openai-code-interpreter/download-citations.ts";
import { startOpenAIServer } from "./openai-server.ts";
import { fileCitation } from "./recorded.ts";

const server = await startOpenAIServer();
const client = server.client();
const root = await mkdtemp(join(tmpdir(), "glovebox-downloads-"));
after(() => rm(root, { recursive: true, force: true }));

const cite = (file: string, filename: string, container = "cntr_1") =>
  fileCitation({ file, filename, container }) as FileCitation;

let folder = "";
beforeEach(async () => {
  server.requests.length = 0;
  server.containers.clear();
  server.addContainer("cntr_1");
  folder = join(await mkdtemp(join(root, "run-")), "out");
});

test("cited files are downloaded, each once, byte for byte", async () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10]);
  server.addFile("cntr_1", "cfile_1", picture);
  server.addFile("cntr_1", "cfile_2", Buffer.alloc(300_000, "x"));
  const citations = [cite("cfile_1", "plot.png"), cite("cfile_2", "big.csv"), cite("cfile_1", "plot.png")];
  const files = await downloadCitations({ citations }, { folder, client });
  assert.deepEqual(files, [
    { fileId: "cfile_1", containerId: "cntr_1", path: join(folder, "plot.png"), bytes: 7 },
    { fileId: "cfile_2", containerId: "cntr_1", path: join(folder, "big.csv"), bytes: 300_000 },
  ]);
  assert.deepEqual(await readFile(join(folder, "plot.png")), picture);
  assert.deepEqual(server.lines, [
    "GET /containers/cntr_1/files/cfile_1/content",
    "GET /containers/cntr_1/files/cfile_2/content",
  ]);
});

test("a hostile name stays one ordinary file in the folder", async () => {
  const names = [
    "../../escape.txt",
    "/etc/passwd",
    "..\\..\\windows.ini",
    "..",
    "",
    ".bashrc",
    "a\u0000b\n\u202ec.txt",
    `${"é".repeat(300)}.csv`,
    "-rf",
  ];
  names.forEach((_, n) => {
    server.addFile("cntr_1", `cfile_${n}`, Buffer.from(`${n}`));
  });
  const citations = names.map((name, n) => cite(`cfile_${n}`, name));
  await downloadCitations({ citations }, { folder, client });
  assert.deepEqual(
    (await readdir(folder)).sort(),
    [
      "a_b__c.txt",
      "bashrc",
      "cfile_3",
      "cfile_4",
      "escape.txt",
      "passwd",
      "rf",
      "windows.ini",
      `${"é".repeat(98)}.csv`,
    ].sort(),
  );
  assert.deepEqual(await readdir(join(folder, "..")), ["out"]);
});

test("nothing is overwritten, through a link neither", async () => {
  const kept = join(root, "kept.txt");
  await writeFile(kept, "kept");
  server.addFile("cntr_1", "cfile_1", Buffer.from("new"));
  await mkdir(folder);
  await writeFile(join(folder, "plot.png"), "old");
  await symlink(kept, join(folder, "plot-2.png"));
  const [file] = await downloadCitations({ citations: [cite("cfile_1", "plot.png")] }, { folder, client });
  assert.equal(file?.path, join(folder, "plot-3.png"));
  assert.deepEqual(
    await Promise.all(
      [kept, join(folder, "plot.png"), join(folder, "plot-3.png")].map((path) => readFile(path, "utf8")),
    ),
    ["kept", "old", "new"],
  );
});

test("a file above the limit leaves nothing behind", async () => {
  server.addFile("cntr_1", "cfile_1", Buffer.alloc(2000));
  const citations = [cite("cfile_1", "big.bin")];
  await assert.rejects(downloadCitations({ citations }, { folder, client, maxBytes: 1000 }), {
    code: "file-too-large",
    message: /1000 bytes/,
  });
  assert.deepEqual(await readdir(folder), []);
});

test("an id that would lead elsewhere is not asked for", async () => {
  const citations = [cite("../../../responses", "x.txt")];
  await assert.rejects(downloadCitations({ citations }, { folder, client }), { code: "provider-tool" });
  assert.deepEqual(server.requests, []);
});

test("a file of an expired or unknown container is gone with it", async () => {
  server.addContainer("cntr_old", { status: "expired" });
  for (const container of ["cntr_old", "cntr_unknown"]) {
    const citations = [cite("cfile_1", "x.txt", container)];
    await assert.rejects(downloadCitations({ citations }, { folder, client }), {
      code: "container-expired",
      message: new RegExp(`${container} has expired`),
    });
  }
});

test("a file that is not in its container is told as such", async () => {
  const citations = [cite("cfile_9", "x.txt")];
  await assert.rejects(downloadCitations({ citations }, { folder, client }), {
    code: "provider-tool",
    message: /cfile_9 of the container cntr_1 cannot be downloaded/,
  });
});
