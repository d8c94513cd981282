import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { GloveboxError } from "../../errors.ts";

export type Command = {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  signal?: AbortSignal | undefined;
  onLine?: (line: string) => void;
  /** How long it may tidy up after an abort, or our death, before it is killed. */
  graceMs?: number;
};

export type CommandResult = { ok: boolean; ending: string; stdout: string[]; lines: string[] };

const keptLines = 2_000;

// The umask makes files readable for other users; the watcher ends the group when our end of its pipe closes,
// so a killed setup leaves no installer behind.
const wrapper = `grace=$1; shift
umask 022
exec 3<&0 </dev/null
(trap '' TERM; read -r _ <&3; kill -TERM 0; sleep "$grace"; kill -KILL 0) >/dev/null 2>&1 &
exec "$@" 3<&-`;

/** Runs a program in a process group of its own and keeps the last lines it wrote. */
export async function runCommand(options: Command): Promise<CommandResult> {
  if (options.signal?.aborted) throw aborted(options.signal);
  const graceMs = options.graceMs ?? 1_000;
  const graceSeconds = String(Math.ceil(graceMs / 1_000));
  const child = spawn("/bin/sh", ["-c", wrapper, "sh", graceSeconds, options.command, ...options.args], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: options.env,
    ...(options.cwd ? { cwd: options.cwd } : {}),
  });
  const stdout: string[] = [];
  const lines: string[] = [];
  const keep = (line: string, ...lists: string[][]) => {
    for (const list of lists) {
      list.push(line);
      if (list.length > keptLines) list.shift();
    }
    options.onLine?.(line);
  };
  createInterface({ input: child.stdout }).on("line", (line) => keep(line, lines, stdout));
  createInterface({ input: child.stderr }).on("line", (line) => keep(line, lines));
  child.stdin.on("error", () => {});

  let killTimer: NodeJS.Timeout | undefined;
  const end = () => {
    signalGroup(child.pid, "SIGTERM");
    killTimer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
  };
  options.signal?.addEventListener("abort", end, { once: true });
  try {
    const ending = await new Promise<string>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", () => signalGroup(child.pid, "SIGKILL"));
      child.on("close", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    });
    if (options.signal?.aborted) throw aborted(options.signal);
    return { ok: ending === "exit code 0", ending, stdout, lines };
  } finally {
    clearTimeout(killTimer);
    options.signal?.removeEventListener("abort", end);
  }
}

export function aborted(signal: AbortSignal): GloveboxError {
  return new GloveboxError("aborted", "The setup was stopped; run `glovebox setup` to start it again.", {
    cause: signal.reason,
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group has ended
  }
}
