import { chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { GloveboxError } from "../../errors.ts";
import { buildEnvironment, type Setup } from "./build.ts";
import { isDebian } from "./debian-packages.ts";
import type { EnsureEnvironmentOptions, EnvironmentSource, PythonEnvironment } from "./environment.ts";
import { environmentsFolder, findEnvironment } from "./find.ts";
import { programPath } from "./find-python.ts";
import { readLock } from "./lock-file.ts";
import { markerFile } from "./marker.ts";
import { takeTurn } from "./setup-turn.ts";

const turnFile = ".setup";

// find a complete one → wait for our turn → look again → clear what a killed setup left → try each source
export async function ensureEnvironment(options: EnsureEnvironmentOptions): Promise<PythonEnvironment> {
  const existing = await findEnvironment(options);
  if (existing) return existing;
  const folder = environmentsFolder(options.home);
  await makeFolder(folder);
  const turn = await takeTurn(join(folder, turnFile), options);
  try {
    const meanwhile = await findEnvironment(options);
    if (meanwhile) return meanwhile;
    await removeIncomplete(folder);
    const { env = process.env, onProgress: report = () => {}, signal } = options;
    const lock = await readLock(options.lockFile);
    const uv = await programPath("uv", env);
    return await fromFirstReachable(
      { folder, lock, env, uv, turn, report, signal, obstacle: undefined },
      options.source,
    );
  } finally {
    turn.end();
  }
}

async function fromFirstReachable(setup: Setup, only?: EnvironmentSource): Promise<PythonEnvironment> {
  const sources = only ? [only] : await automaticSources(setup);
  let obstacle: string | undefined;
  for (const source of sources) {
    const result = await buildEnvironment({ ...setup, obstacle }, source);
    if (!("unreachable" in result)) return result;
    obstacle = result.unreachable;
    setup.report({ step: `Cannot use ${source}`, detail: obstacle });
  }
  const fix =
    "Check the network, proxy and index settings (PIP_INDEX_URL, UV_DEFAULT_INDEX), then run `glovebox setup` again.";
  throw new GloveboxError("environment", `The Python package index cannot be reached. ${fix}\n${obstacle}`);
}

async function automaticSources(setup: Setup): Promise<EnvironmentSource[]> {
  const index: EnvironmentSource[] = setup.uv ? ["uv", "pip"] : ["pip"];
  return (await isDebian(setup.env)) ? [...index, "debian"] : index;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await stat(folder)).uid === process.getuid?.()) await chmod(folder, 0o755);
  } catch (cause) {
    const message = `Cannot write to ${folder}. Make it writable for you, or choose another home.`;
    throw new GloveboxError("environment", message, { cause });
  }
}

async function removeIncomplete(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(turnFile)) continue;
    const complete = await stat(join(folder, name, markerFile)).catch(() => undefined);
    if (!complete) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
