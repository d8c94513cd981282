import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { kernelFolder, lockFile } from "../../src/compose.ts";
import { defaultLimits } from "../../src/config.ts";
import { openGlovebox } from "../../src/index.ts";
import { isDebian } from "../../src/sandbox/environment/debian-packages.ts";
import { ensureEnvironment } from "../../src/sandbox/environment/ensure.ts";
import { LocalSandbox } from "../../src/sandbox/local/local-sandbox.ts";
import { contractSuite } from "./suite.ts";

const NOBODY = { uid: 65534, gid: 65534 };

/** Root plays an ordinary user on Debian's own Python, whose files everybody may read. */
async function openAsNobody(shared: string) {
  const environment = await ensureEnvironment({ home: shared, lockFile, source: "debian" });
  await cp(kernelFolder, join(shared, "kernel"), { recursive: true });
  const sandbox = new LocalSandbox({
    environment,
    kernelFolder: join(shared, "kernel"),
    cacheFolder: join(shared, "cache"),
    limits: {
      memory_bytes: defaultLimits.memoryBytes,
      work_bytes: defaultLimits.workBytes,
      tmp_bytes: defaultLimits.tmpBytes,
      processes: defaultLimits.processes,
    },
    pool: 1,
    cgroups: true,
    cpus: 1,
    runAs: NOBODY,
  });
  return openGlovebox({ sandbox });
}

if (process.getuid?.() !== 0) {
  test("an ordinary user on Debian's packages", {
    skip: "only root can play another user; this run is one already",
  }, () => {});
} else if (!(await isDebian(process.env))) {
  test("an ordinary user on Debian's packages", { skip: "this system is not Debian" }, () => {});
} else {
  describe("an ordinary user", () => {
    let shared: string;
    before(async () => {
      shared = await mkdtemp(join(tmpdir(), "glovebox-user-"));
      await chmod(shared, 0o755);
    });
    after(() => rm(shared, { recursive: true }));
    contractSuite("the local sandbox as an ordinary user, on Debian's packages", () => openAsNobody(shared));
  });
}
