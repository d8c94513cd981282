import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ensureEnvironment } from "../../src/sandbox/environment/ensure.ts";
import type {
  EnsureEnvironmentOptions,
  PythonEnvironment,
  SetupProgress,
} from "../../src/sandbox/environment/environment.ts";

export type SetupEnd = { environment?: PythonEnvironment; error?: { code?: string; message: string } };

export type SetupProcess = {
  child: ChildProcess;
  progress: SetupProgress[];
  reached(step: string): Promise<void>;
  end: Promise<SetupEnd>;
};

type ProcessOptions = { env?: NodeJS.ProcessEnv; uid?: number; gid?: number; umask?: number };

/** Runs ensureEnvironment in a process of its own. */
export function startSetup(options: EnsureEnvironmentOptions, how: ProcessOptions = {}): SetupProcess {
  const { umask, ...spawnOptions } = how;
  const args = [import.meta.filename, JSON.stringify({ ...options, umask })];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: "/",
    ...spawnOptions,
  });
  const progress: SetupProgress[] = [];
  let last: SetupEnd = { error: { message: "ended without a result" } };
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const message = JSON.parse(line) as SetupProgress | SetupEnd;
    if ("step" in message) progress.push(message);
    else last = message;
  });
  const reached = async (step: string) => {
    while (!progress.some((line) => line.step === step)) {
      if (child.exitCode !== null) throw new Error(`ended before "${step}": ${JSON.stringify(last)}`);
      await Promise.race([once(lines, "line"), once(child, "exit")]);
    }
  };
  return { child, progress, reached, end: once(child, "close").then(() => last) };
}

if (process.argv[1] === import.meta.filename && process.argv[2]) {
  const { umask, ...options } = JSON.parse(process.argv[2]) as EnsureEnvironmentOptions & { umask?: number };
  if (umask !== undefined) process.umask(umask);
  const say = (message: unknown) => console.log(JSON.stringify(message));
  try {
    say({ environment: await ensureEnvironment({ ...options, onProgress: say }) });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    say({ error: { code, message } });
  }
}
