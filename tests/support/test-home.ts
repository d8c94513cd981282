import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kernelFolder, openGlovebox, pythonEnvironment } from "../../src/compose.ts";
import { defaultLimits, gloveboxHome } from "../../src/config.ts";
import type { Glovebox } from "../../src/index.ts";
import { LocalSandbox } from "../../src/sandbox/local/local-sandbox.ts";

/** A Glovebox with a home of its own, on the Python environment that is installed already. */
export async function openBoxAt(home: string): Promise<Glovebox> {
  const installed = gloveboxHome();
  const sandbox = new LocalSandbox({
    environment: await pythonEnvironment(installed),
    kernelFolder,
    cacheFolder: join(installed, "cache"),
    limits: {
      memory_bytes: defaultLimits.memoryBytes,
      work_bytes: defaultLimits.workBytes,
      tmp_bytes: defaultLimits.tmpBytes,
      processes: defaultLimits.processes,
    },
    pool: 1,
    cgroups: true,
    cpus: 1,
  });
  await sandbox.warm();
  return openGlovebox({ home, sandbox });
}

/** A folder that goes with the test file. */
export async function temporaryHome(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "glovebox-home-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
