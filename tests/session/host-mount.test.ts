import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, link, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { GloveboxError } from "../../src/errors.ts";
import { type HostFile, openHostFile, selectHostFiles } from "../../src/session/host-files.ts";
import { type HostMount, resolveMounts } from "../../src/session/host-mount.ts";
import { openTestBox } from "../support/box.ts";

const run = promisify(execFile);
const refused = (code: string, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof GloveboxError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, words);
  return true;
};

let top: string;
before(async () => {
  top = await mkdtemp(join(tmpdir(), "glovebox-mounts-"));
  await chmod(top, 0o755);
});
after(() => rm(top, { recursive: true, force: true }));

let folder: string;
let count = 0;
beforeEach(async () => {
  folder = join(top, `data-${++count}`);
  await mkdir(folder);
});

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const names = async (mount: Partial<HostMount> = {}, roots?: readonly string[]) =>
  (await selectHostFiles({ hostPath: folder, mountPath: "in", ...mount }, roots ? { roots } : {})).map(
    ({ path }) => path,
  );

async function selected(name: string): Promise<HostFile> {
  const file = (await selectHostFiles({ hostPath: folder, mountPath: "." })).find(
    ({ path }) => path === name,
  );
  assert.ok(file, `${name} is not selected`);
  return file;
}

async function content(file: HostFile): Promise<string> {
  return Buffer.concat(await Array.fromAsync(openHostFile(file))).toString();
}

describe("what a mount selects", () => {
  test("a folder is its files below the mount path, by name, with their sizes", async () => {
    await put({ "b.csv": "1234", "a/deep.txt": "x", "a.csv": "" });
    const files = await selectHostFiles({ hostPath: folder, mountPath: "in" });
    assert.deepEqual(
      files.map(({ stamp: _, ...file }) => file),
      [
        { hostPath: join(folder, "a.csv"), path: "in/a.csv", bytes: 0 },
        { hostPath: join(folder, "a/deep.txt"), path: "in/a/deep.txt", bytes: 1 },
        { hostPath: join(folder, "b.csv"), path: "in/b.csv", bytes: 4 },
      ],
    );
  });

  test("globs include and exclude, on paths below the folder", async () => {
    await put({ "a.csv": "", "b.txt": "", "old/c.csv": "", "old/secret/d.csv": "" });
    assert.deepEqual(await names({ includeGlobs: ["**/*.csv"], excludeGlobs: ["old/secret/**"] }), [
      "in/a.csv",
      "in/old/c.csv",
    ]);
    assert.deepEqual(await names({ includeGlobs: ["*.csv"] }), ["in/a.csv"]);
  });

  test("hidden files need a glob that spells the dot, and are excluded like all others", async () => {
    await put({ "a.csv": "", ".env": "", ".git/config": "", "old/.key": "", ".git/.lock": "" });
    assert.deepEqual(await names(), ["in/a.csv"]);
    assert.deepEqual(await names({ includeGlobs: ["**/*"] }), ["in/a.csv"]);
    const all = { includeGlobs: ["*", ".env", ".git/*", ".git/.lock", "old/.key"] };
    assert.equal((await names(all)).length, 5);
    assert.deepEqual(await names({ ...all, excludeGlobs: ["old/**", "**/*.env", ".git/**"] }), ["in/a.csv"]);
  });

  test("a byte limit over all files is refused with the sum and the way out", async () => {
    await put({ "a.csv": "x".repeat(1500), "b.csv": "x".repeat(600) });
    assert.equal((await names({ maxBytes: 2100 })).length, 2);
    await assert.rejects(
      names({ maxBytes: 2099 }),
      refused("file-too-large", /2,100 bytes.*2,099.*narrow the globs/),
    );
    await assert.rejects(names({ maxBytes: Number.NaN }), refused("usage", /maxBytes is NaN/));
    assert.deepEqual(await names({ maxBytes: 600, includeGlobs: ["b.*"] }), ["in/b.csv"]);
  });

  test("more than a thousand files are refused with the way out", async () => {
    for (let index = 0; index <= 1000; index++) await writeFile(join(folder, `${index}.csv`), "");
    await assert.rejects(names(), refused("usage", /more than 1,000 files.*narrow the globs/));
    assert.deepEqual(await names({ includeGlobs: ["100.csv"] }), ["in/100.csv"]);
  });

  test("a signal stops the walk", async () => {
    await put({ "a.csv": "" });
    const mount = { hostPath: folder, mountPath: "in" };
    await assert.rejects(
      selectHostFiles(mount, { signal: AbortSignal.abort() }),
      refused("aborted", /Stopped/),
    );
  });
});

describe("what a mount refuses", () => {
  test("URLs, by name", async () => {
    for (const hostPath of ["http://example.com/a.csv", "file:///etc/passwd", "s3://bucket/a.csv"]) {
      await assert.rejects(names({ hostPath }), refused("file-name", /is a URL.*download it/), hostPath);
    }
  });

  test("NULs, empty paths, absent files and names that lead elsewhere", async () => {
    await assert.rejects(names({ hostPath: `${folder}\0.csv` }), refused("file-name", /NUL/));
    await assert.rejects(names({ hostPath: "" }), refused("file-name", /empty/));
    await assert.rejects(
      names({ hostPath: join(folder, "absent") }),
      refused("file-missing", /check the path/),
    );
    for (const mountPath of ["../x", "/etc", "a/../../b", ""]) {
      await assert.rejects(names({ mountPath }), refused("file-name", /below \/mnt\/data/), mountPath);
    }
  });

  test("whatever is outside the roots, however the path is written", async () => {
    const allowed = join(folder, "allowed");
    await put({ "allowed/a.csv": "", "allowed-too/b.csv": "" });
    await symlink(join(folder, "allowed-too"), join(allowed, "link"));
    assert.deepEqual(await names({ hostPath: allowed }, [allowed]), ["in/a.csv"]);
    assert.deepEqual(await names({ hostPath: join(allowed, "a.csv") }, [folder]), ["in"]);
    for (const hostPath of [
      folder,
      `${allowed}-too`,
      join(allowed, "link"),
      `${allowed}/../allowed-too/b.csv`,
      `/proc/self/root${folder}/allowed-too`,
    ]) {
      await assert.rejects(
        names({ hostPath }, [allowed]),
        refused("file-name", /outside the folders/),
        hostPath,
      );
    }
    await assert.rejects(names({ hostPath: allowed }, []), refused("file-name", /outside the folders/));
  });

  test("devices, pipes and sockets, without waiting for them", async () => {
    const pipe = join(folder, "pipe.csv");
    await run("mkfifo", [pipe]);
    const server = createServer().listen(join(folder, "socket.csv"));
    after(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    await put({ "a.csv": "" });
    const skipped: [string, string][] = [];
    const files = await selectHostFiles(
      { hostPath: folder, mountPath: "in" },
      { onSkipped: (...what) => skipped.push(what) },
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ["in/a.csv"],
    );
    assert.deepEqual(skipped.sort(), [
      ["pipe.csv", "it is not an ordinary file"],
      ["socket.csv", "it is not an ordinary file"],
    ]);
    for (const hostPath of [pipe, "/dev/zero"]) {
      await assert.rejects(
        names({ hostPath }),
        refused("file-kind", /neither an ordinary file nor a folder/),
      );
    }
  });

  test("links out of the folder, to what is excluded, and into folders; links that stay inside are followed", async () => {
    await put({ "data/a.csv": "inside", "data/secret/key.csv": "key", "outside.csv": "out" });
    const data = join(folder, "data");
    await symlink("a.csv", join(data, "latest.csv"));
    await symlink(join(folder, "outside.csv"), join(data, "out.csv"));
    await symlink("../outside.csv", join(data, "up.csv"));
    await symlink("secret/key.csv", join(data, "public.csv"));
    await symlink("secret", join(data, "open"));
    await symlink(".", join(data, "loop"));
    await symlink("nowhere", join(data, "dangling.csv"));
    const files = await selectHostFiles({ hostPath: data, mountPath: "in", excludeGlobs: ["secret/**"] });
    assert.deepEqual(
      files.map(({ path, hostPath }) => [path, hostPath]),
      [
        ["in/a.csv", join(data, "a.csv")],
        ["in/latest.csv", join(data, "a.csv")],
      ],
    );
  });
});

describe("reading what was selected", () => {
  test("gives the file whole", async () => {
    const text = "0123456789".repeat(300_000);
    await put({ "large.txt": text });
    assert.equal(await content(await selected("large.txt")), text);
  });

  test("a file that grows is taken at the size it had", async () => {
    await put({ "log.txt": "one" });
    const file = await selected("log.txt");
    await put({ "log.txt": "one two" });
    assert.equal(await content(file), "one");
  });

  test("what took the file's place since is not read: a link, a pipe, a folder, a linked parent", async () => {
    await put({
      "outside/x.csv": "secret",
      "in/x.csv": "fine",
      "link.csv": "a",
      "pipe.csv": "a",
      "folder.csv": "a",
    });
    const [linked, pipe, inner, parent] = await Promise.all(
      ["link.csv", "pipe.csv", "folder.csv", "in/x.csv"].map(selected),
    );
    for (const name of ["link.csv", "pipe.csv", "folder.csv"]) await rm(join(folder, name));
    await symlink("outside/x.csv", join(folder, "link.csv"));
    await run("mkfifo", [join(folder, "pipe.csv")]);
    await mkdir(join(folder, "folder.csv"));
    await rename(join(folder, "in"), join(folder, "moved"));
    await symlink("outside", join(folder, "in"));
    await assert.rejects(content(linked as HostFile), refused("file-missing", /look again/));
    for (const file of [pipe, inner, parent] as HostFile[]) {
      await assert.rejects(content(file), refused("file-kind", /taken the place/), file.path);
    }
  });

  test("a hard link is a file like any other, by its own name", async () => {
    await put({ "a.csv": "same" });
    await link(join(folder, "a.csv"), join(folder, "b.csv"));
    assert.equal(await content(await selected("b.csv")), "same");
  });

  test("a signal stops it", async () => {
    await put({ "a.csv": "text" });
    const reading = openHostFile(await selected("a.csv"), { signal: AbortSignal.abort() });
    await assert.rejects(Array.fromAsync(reading), refused("aborted", /Stopped/));
  });
});

describe("mounts of a session", () => {
  test("without globs the folder itself is mounted, with them its files one by one", async () => {
    await put({ "a.csv": "", "b.txt": "" });
    assert.deepEqual(await resolveMounts([{ hostPath: folder, mountPath: "in" }]), [
      { source: folder, target: "/mnt/data/in" },
    ]);
    assert.deepEqual(await resolveMounts([{ hostPath: folder, mountPath: "in", includeGlobs: ["*.csv"] }]), [
      { source: join(folder, "a.csv"), target: "/mnt/data/in/a.csv" },
    ]);
  });

  test("more files than a session can mount one by one are refused with the way out", async () => {
    for (let index = 0; index <= 200; index++) await writeFile(join(folder, `${index}.csv`), "");
    await assert.rejects(
      resolveMounts([{ hostPath: folder, mountPath: "in", maxBytes: 1 }]),
      refused("usage", /mounts are 201 files.*narrow the globs/),
    );
  });

  test("cells read the selected files in place and see no others", async () => {
    await put({ "a.csv": "n\n1\n2\n", "secret.txt": "x", "sub/b.csv": "n\n5\n" });
    const box = await openTestBox();
    await using session = await box.session({
      mounts: [{ hostPath: folder, mountPath: "in", includeGlobs: ["**/*.csv"], maxBytes: 1 << 20 }],
    });
    const read = await session.run(
      "import glob\n[int(pd.read_csv('in/a.csv').n.sum()), sorted(glob.glob('in/**', recursive=True))]",
    );
    assert.deepEqual(read.kind === "object" && read.json, [3, ["in/", "in/a.csv", "in/sub", "in/sub/b.csv"]]);
    const write = await session.run("open('in/a.csv', 'w')");
    assert.match(write.kind === "error" ? write.message : "", /Read-only file system|Permission denied/);
  });
});
