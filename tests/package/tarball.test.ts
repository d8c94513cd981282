import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));

describe("the packed tarball, installed into an empty folder", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "glovebox-tarball-"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: project });
    const [tarball] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    await mkdir(join(folder, "app"));
    await writeFile(join(folder, "app", "package.json"), '{ "private": true, "type": "module" }\n');
    await run("npm", ["install", "--prefer-offline", join(folder, tarball as string)], {
      cwd: join(folder, "app"),
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("runs cells from its command line", async () => {
    const { stdout } = await run("npx", ["glovebox", "run", "--json", "-c", "6 * 7"], {
      cwd: join(folder, "app"),
    });
    const { duration_ms, ...result } = JSON.parse(stdout);
    assert.equal(typeof duration_ms, "number");
    assert.deepEqual(result, { kind: "object", repr: "42", json: 42, cell: 1 });
  });

  test("is a library with types", async () => {
    const program = [
      'import { openGlovebox } from "glovebox";',
      "await using box = await openGlovebox();",
      "await using session = await box.session();",
      'console.log(JSON.stringify((await session.run("sum(range(10))")).json));',
    ].join("\n");
    await writeFile(join(folder, "app", "program.mjs"), program);
    const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: join(folder, "app") });
    assert.equal(stdout, "45\n");
    const shipped = await readdir(join(folder, "app", "node_modules", "glovebox"));
    assert.deepEqual(
      shipped.filter((name) => ["src", "tests", "bench"].includes(name)),
      [],
    );
    assert.ok(
      (await readdir(join(folder, "app", "node_modules", "glovebox", "dist"))).includes("index.d.ts"),
    );
  });
});
