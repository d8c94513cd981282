import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { scratchFolder, sweepScratch } from "../../src/store/scratch.ts";

test("what a killed process left is removed, what a live one uses is not", async () => {
  const home = await mkdtemp(join(tmpdir(), "glovebox-test-"));
  try {
    const mine = scratchFolder(home);
    const [machine] = basename(mine).split("-");
    await mkdir(join(mine, "s1/files"), { recursive: true });
    await mkdir(join(home, "scratch", `${machine}-${process.pid}-1`, "s2"), { recursive: true });
    await mkdir(join(home, "scratch", "another-machine-1", "s3"), { recursive: true });
    await sweepScratch(home);
    assert.deepEqual(
      (await readdir(join(home, "scratch"))).sort(),
      ["another-machine-1", basename(mine)].sort(),
    );
  } finally {
    await rm(home, { recursive: true });
  }
});
