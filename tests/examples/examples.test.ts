import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const programs = (await Array.fromAsync(glob("*.ts", { cwd: join(project, "examples") }))).sort();

/** What each program prints; one that only exports something prints nothing. */
const printed: Readonly<Record<string, RegExp>> = {
  "library.ts": /North\s+16521\.42/,
  "custom-tool.ts": /^$/,
  "own-tool-in-use.ts": /From Paris to Lagos: .*\\"km\\":4716/,
  "custom-model.ts": /^That is 285\. \(1 cell\)\n$/,
  "provider-tool.ts": /OPENAI_API_KEY/,
  "two-agents.ts": /traffic_fine_amount/,
};

describe("the examples", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "glovebox-examples-"));
    await cp(join(project, "examples"), join(folder, "examples"), { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    await mkdir(join(folder, "node_modules"));
    await symlink(project, join(folder, "node_modules/glovebox"));
    await symlink(join(project, "node_modules/zod"), join(folder, "node_modules/zod"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const program of programs) {
    test(`${program} runs`, async () => {
      const { OPENAI_API_KEY: _, GLOVEBOX_MODEL: __, ...env } = process.env;
      const child = spawn(process.execPath, [`examples/${program}`], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, words, exited] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise((resolve) => child.on("exit", resolve)),
      ]);
      assert.equal(exited, 0, words);
      assert.match(out, printed[program] ?? assert.fail(`${program} has no expectation`));
    });
  }
});
