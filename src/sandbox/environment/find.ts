import { readdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { FindEnvironmentOptions, PythonEnvironment } from "./environment.ts";
import { hashLock } from "./lock-file.ts";
import { type EnvironmentMarker, readMarker } from "./marker.ts";

const preference = ["uv", "pip", "debian"];

/** An environment that an earlier setup completed. Reads files only, so that each start can afford it. */
export async function findEnvironment(
  options: FindEnvironmentOptions,
): Promise<PythonEnvironment | undefined> {
  const hash = await hashLock(options.lockFile);
  const requested = (options.env ?? process.env).GLOVEBOX_PYTHON;
  const suitable: EnvironmentMarker[] = [];
  for (const marker of await completeEnvironments(options.home)) {
    if (marker.lockHash !== hash) continue;
    if (options.source && marker.environment.source !== options.source) continue;
    if (requested && !(await cameFrom(marker, requested))) continue;
    suitable.push(marker);
  }
  return suitable.sort(bySource)[0]?.environment;
}

export function environmentsFolder(home: string): string {
  return join(resolve(home), "environments");
}

async function completeEnvironments(home: string): Promise<EnvironmentMarker[]> {
  const folder = environmentsFolder(home);
  const names = await readdir(folder).catch(() => []);
  const markers = await Promise.all(names.sort().map((name) => readMarker(join(folder, name))));
  return markers.filter((marker) => marker !== undefined);
}

async function cameFrom(marker: EnvironmentMarker, requested: string): Promise<boolean> {
  if (marker.requestedAs.includes(requested)) return true;
  return (await realpath(requested).catch(() => requested)) === marker.baseExecutable;
}

function bySource(a: EnvironmentMarker, b: EnvironmentMarker): number {
  return preference.indexOf(a.environment.source) - preference.indexOf(b.environment.source);
}
