import { readFile } from "node:fs/promises";
import { cpus, loadavg, release, totalmem, version } from "node:os";
import type { PythonEnvironment } from "../src/sandbox/environment/environment.ts";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  /** Who else was at work when the run began. */
  readonly load: number;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `Linux ${release()} ${version().match(/PREEMPT\w*/)?.[0] ?? ""}`.trim(),
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}

export async function describeVersions(environment: PythonEnvironment): Promise<Record<string, string>> {
  const own = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const { pandas = "missing", numpy = "missing", ipython = "missing" } = environment.packages;
  return {
    glovebox: String(own.version),
    node: process.versions.node,
    python: environment.version,
    pandas,
    numpy,
    ipython,
  };
}
