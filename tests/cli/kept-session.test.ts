import assert from "node:assert/strict";
import { mkdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { KeptSession } from "../../src/cli/kept-session.ts";
import { temporaryFolder } from "./glovebox.ts";

async function keptSession(): Promise<{ home: string; kept: KeptSession }> {
  const home = await temporaryFolder();
  const kept = new KeptSession(home, "s1");
  await mkdir(join(kept.files, "sub"), { recursive: true });
  await writeFile(join(kept.files, "sub", "a.txt"), "kept");
  await writeFile(join(home, "secret"), "not theirs");
  return { home, kept };
}

test("a file of the session is found by the path it has there", async () => {
  const { kept } = await keptSession();
  for (const path of ["/mnt/data/sub/a.txt", "/data/sub/a.txt"]) {
    assert.equal(kept.locate(path), join(kept.files, "sub/a.txt"));
    assert.equal(String(kept.read(path)), "kept");
  }
});

test("nothing else is found, whatever the path", async () => {
  const { home, kept } = await keptSession();
  await symlink(join(home, "secret"), join(kept.files, "link"));
  const paths = [
    "/mnt/data/../../../secret",
    "/mnt/data//etc/passwd",
    "/etc/passwd",
    "/mnt/data/",
    "/mnt/data/sub",
    "/mnt/data/gone",
    "/mnt/data/link",
    "../../../secret",
  ];
  assert.deepEqual(
    paths.map((path) => kept.locate(path)),
    paths.map(() => undefined),
  );
  assert.equal(kept.read("/mnt/data/link"), undefined);
});

test("what is too large to be shown is not read", async () => {
  const { kept } = await keptSession();
  const file = join(kept.files, "large.png");
  await writeFile(file, "");
  await truncate(file, (8 << 20) + 1);
  assert.equal(kept.read("/mnt/data/large.png"), undefined);
});

test("long output is kept for its owner only, below the session", async () => {
  const { home, kept } = await keptSession();
  const path = kept.keepOutput("all of it", { turn: "turn/../1", cell: 3 }) ?? "";
  assert.equal(path, join(home, "sessions", "s1", "outputs", "turn1-3.txt"));
  assert.equal(await readFile(path, "utf8"), "all of it");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});
