import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { GloveboxError } from "../../errors.ts";
import { childEnvironment } from "./child-environment.ts";
import type { EnvironmentSource, PythonEnvironment, ReportProgress } from "./environment.ts";
import type { Interpreter } from "./find-python.ts";
import { installFromDebian } from "./install-from-debian.ts";
import { installWithPip } from "./install-with-pip.ts";
import { installWithUv } from "./install-with-uv.ts";
import type { Installer, InstallerContext } from "./installer.ts";
import { installerFailure } from "./installer-failure.ts";
import { directNames, type RequirementsLock } from "./lock-file.ts";
import { readMarker, writeMarker } from "./marker.ts";
import { pythonForSource } from "./python-for-source.ts";
import { runCommand } from "./run-command.ts";
import type { SetupTurn } from "./setup-turn.ts";
import { verifyEnvironment } from "./verify.ts";

export type Setup = {
  folder: string;
  lock: RequirementsLock;
  env: NodeJS.ProcessEnv;
  uv: string | undefined;
  turn: SetupTurn;
  report: ReportProgress;
  signal: AbortSignal | undefined;
  /** Why the source tried before this one could not be used. */
  obstacle: string | undefined;
};

// choose a Python → install → make readable → import everything → write the marker.
// Built where it stays, since a venv holds its own path; until the marker is there, nobody sees it.
export async function buildEnvironment(
  setup: Setup,
  source: EnvironmentSource,
): Promise<PythonEnvironment | { unreachable: string }> {
  const python = await pythonForSource(setup, source);
  if ("unreachable" in python) return python;
  const prefix = join(setup.folder, environmentName(setup.lock, python, source));
  const requestedAs = setup.env.GLOVEBOX_PYTHON ? [setup.env.GLOVEBOX_PYTHON] : [];
  const earlier = await readMarker(prefix);
  if (earlier) {
    await writeMarker({ ...earlier, requestedAs: [...earlier.requestedAs, ...requestedAs] });
    return earlier.environment;
  }

  const scratch = `${prefix}.scratch`;
  await remove(prefix);
  await mkdir(scratch, { recursive: true });
  let complete = false;
  try {
    const context = { ...setup, python, prefix, scratch };
    const installed = await installerFor(setup, source)(context);
    if (installed !== "installed") return installed;
    await makeReadable(context);
    const environment = await describe(context, source);
    setup.turn.assertHeld();
    await remove(scratch);
    const { lock, report } = setup;
    await writeMarker({ lockHash: lock.hash, baseExecutable: python.executable, requestedAs, environment });
    complete = true;
    report({ step: "Ready", detail: prefix });
    return environment;
  } finally {
    await remove(scratch);
    if (!complete) await remove(prefix);
  }
}

async function describe(context: InstallerContext, source: EnvironmentSource): Promise<PythonEnvironment> {
  const { packages, failures } = await verifyEnvironment(context);
  const broken = Object.entries(failures).map(([name, why]) => `${name}: ${why}`);
  const essential = source !== "debian" || "ipython" in failures;
  if (broken.length > 0 && essential) {
    const fix = "Set GLOVEBOX_PYTHON to another Python and run `glovebox setup` again.";
    throw new GloveboxError("environment", `Some packages do not import. ${fix}\n${broken.join("\n")}`);
  }
  for (const name of Object.keys(failures)) delete packages[name];
  return {
    python: join(context.prefix, "bin", "python"),
    prefix: context.prefix,
    basePrefix: context.python.basePrefix,
    version: context.python.version,
    source,
    packages,
    missing: directNames(context.lock).filter((name) => !(name in packages)),
  };
}

function installerFor(setup: Setup, source: EnvironmentSource): Installer {
  if (source === "debian") return installFromDebian;
  return source === "uv" && setup.uv ? installWithUv(setup.uv) : installWithPip;
}

// Wheels and uv's cache bring permissions of their own, which the umask does not mend.
async function makeReadable({ prefix, env, signal }: InstallerContext): Promise<void> {
  const args = ["-R", "a+rX,go-w", prefix];
  const result = await runCommand({ command: "chmod", args, env: childEnvironment(env), signal });
  if (!result.ok) throw await installerFailure("chmod", result, prefix);
}

function environmentName(lock: RequirementsLock, python: Interpreter, source: EnvironmentSource): string {
  const parts = [lock.hash, python.version, python.executable, source];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}
