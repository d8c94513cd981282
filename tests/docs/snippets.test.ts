import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));

interface Snippet {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

async function snippets(): Promise<Snippet[]> {
  const found: Snippet[] = [];
  for await (const page of glob(["*.md", "docs/*.md"], { cwd: project })) {
    const source = await readFile(join(project, page), "utf8");
    for (const match of source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
      const line = source.slice(0, match.index).split("\n").length;
      found.push({ page, line, language: match[1] as string, code: match[2] as string });
    }
  }
  return found;
}

/** Runs a command as a reader would, in a folder with the examples and the package. */
async function shell(command: string, cwd: string): Promise<string> {
  const child = spawn(
    "bash",
    ["-c", `(${command.replaceAll("npx glovebox", "node_modules/.bin/glovebox")}) 2>&1`],
    {
      cwd,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return text(child.stdout);
}

/** What a page shows; a line that is only "…" stands for any lines. */
function pattern(shown: string): RegExp {
  const parts = shown.split(/^…\n/m).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`);
}

const all = await snippets();

describe("the pages' snippets", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "glovebox-pages-"));
    await cp(join(project, "examples"), join(folder, "examples"), { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    const modules = join(folder, "node_modules");
    await mkdir(join(modules, ".bin"), { recursive: true });
    await symlink(project, join(modules, "glovebox"));
    await symlink(join(project, "node_modules/openai"), join(modules, "openai"));
    await symlink(join(project, "bin/glovebox.js"), join(modules, ".bin/glovebox"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const { page, line, code } of all.filter(({ language }) => language === "console")) {
    test(`${page}, line ${line}: shows what is really printed`, async () => {
      for (const [, command, shown] of code.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
        assert.match(await shell(command as string, folder), pattern(shown as string), command as string);
      }
    });
  }

  for (const { page, line, code } of all.filter(({ language }) => language === "ts")) {
    test(`${page}, line ${line}: runs`, async () => {
      await writeFile(join(folder, "snippet.ts"), code);
      const child = spawn(process.execPath, ["snippet.ts"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [words, exited] = await Promise.all([
        text(child.stderr),
        new Promise((resolve) => child.on("exit", resolve)),
        text(child.stdout),
      ]);
      assert.equal(exited, 0, words);
    });
  }

  test("the commands to paste are the ones that are run", async () => {
    const pasted = all.filter(({ language }) => language === "sh").map(({ code }) => code.trim());
    const { scripts } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
    for (const command of pasted) {
      const [install, then] = command.split(" && ");
      assert.equal(install, "npm install");
      assert.ok(then === "npm test" || then?.startsWith("npx glovebox ask"), command);
      if (then?.startsWith("npx")) assert.match(await shell(then, folder), /traffic_fine_amount/);
    }
    assert.equal(scripts.test, "sh scripts/test.sh");
  });

  /** Every one starts an MCP server of ours, with the words that are shown. */
  for (const { page, line, code } of all.filter(({ language }) => language === "json")) {
    test(`${page}, line ${line}: names a command that there is`, async () => {
      const [servers] = Object.values(JSON.parse(code) as Record<string, Record<string, { args: string[] }>>);
      const [, ...words] = servers?.glovebox?.args ?? [];
      assert.match(await shell(`npx ${words.join(" ")} --help`, folder), /Usage: glovebox mcp/);
    });
  }

  test("every snippet is of a kind that is checked", () => {
    const checked = new Set(["console", "ts", "sh", "json"]);
    assert.deepEqual(
      all.filter(({ language }) => !checked.has(language)).map(({ page, line }) => `${page}:${line}`),
      [],
    );
  });
});
