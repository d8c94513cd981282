// A Docker daemon of the tests' own, in a folder of its own: the machine's, if it has one, is left alone.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { access, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { startTime } from "../../src/support/process-identity.ts";

const run = promisify(execFile);
const PATIENCE_MS = 60_000;
// The shell ends at once, so that the daemon is nobody's descendant: what a sandbox leaves running is told by that.
const START = 'setsid dockerd "$@" >"$LOG" 2>&1 </dev/null & echo $!';

/** Why no daemon can be started here, or nothing. */
export async function whyNoDaemon(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root on Linux can start a Docker daemon";
  for (const program of ["dockerd", "docker", "setsid", "dpkg-query"]) {
    const found = await run("sh", ["-c", `command -v ${program}`]).catch(() => undefined);
    if (!found) return `${program} is not installed (Debian: apt-get install docker.io)`;
  }
  return undefined;
}

export class TestDaemon implements AsyncDisposable {
  readonly folder: string;
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
  #pid: number | undefined;
  #started: string | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.socket = join(folder, "docker.sock");
    this.env = { ...process.env, DOCKER_HOST: `unix://${this.socket}`, DOCKER_CONTEXT: undefined };
  }

  async start(): Promise<void> {
    const { folder } = this;
    const args = [
      ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")],
      ...["--pidfile", join(folder, "docker.pid"), "--host", `unix://${this.socket}`],
      ...["--iptables=false", "--ip6tables=false", "--bridge=none"],
    ];
    const log = join(folder, "dockerd.log");
    // A daemon that was killed took its containerd along, and their numbers are somebody else's by now.
    for (const stale of ["docker.pid", "exec/containerd/containerd.pid", "exec/containerd/containerd.sock"]) {
      await rm(join(folder, stale), { force: true });
    }
    const { stdout } = await run("sh", ["-c", START, "sh", ...args], { env: { ...process.env, LOG: log } });
    this.#pid = Number(stdout);
    this.#started = startTime(this.#pid);
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await this.docker("version").catch(() => undefined))) {
      if (!this.#runs() || performance.now() > deadline) {
        throw new Error(`dockerd did not start: ${(await readFile(log, "utf8")).slice(-2000)}`);
      }
      await pause(50);
    }
  }

  async docker(...args: string[]): Promise<string> {
    const { stdout } = await run("docker", args, { env: this.env, timeout: PATIENCE_MS, maxBuffer: 1 << 24 });
    return stdout.trim();
  }

  /** The names of all containers, running or not. */
  async containers(): Promise<string[]> {
    return (await this.docker("ps", "--all", "--format", "{{.Names}}")).split("\n").filter(Boolean);
  }

  /** Waits until only these containers are there; gives what is there in the end. */
  async containersSettleTo(...expected: string[]): Promise<string[]> {
    const deadline = performance.now() + PATIENCE_MS / 2;
    let there = await this.containers();
    while (there.some((name) => !expected.includes(name)) && performance.now() < deadline) {
      await pause(100);
      there = await this.containers();
    }
    return there;
  }

  /** Waits until so many containers are there; gives what is there in the end. */
  async containersReach(count: number): Promise<string[]> {
    const deadline = performance.now() + PATIENCE_MS;
    let there = await this.containers();
    while (there.length !== count && performance.now() < deadline) {
      await pause(100);
      there = await this.containers();
    }
    return there;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const pid = this.#pid;
    if (pid === undefined || !this.#runs()) return;
    process.kill(pid, signal);
    const deadline = performance.now() + PATIENCE_MS;
    while (this.#runs()) {
      if (performance.now() > deadline) process.kill(pid, "SIGKILL");
      await pause(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    for (const pid of await processesNaming(this.folder)) process.kill(pid, "SIGKILL");
    const mounts = (await readFile("/proc/mounts", "utf8"))
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
    for (const mount of mounts.filter((path) => path.startsWith(`${this.folder}/`)).reverse()) {
      await run("umount", ["--lazy", mount]);
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    await access(this.folder).then(
      () => Promise.reject(new Error(`${this.folder} is left`)),
      () => {},
    );
  }

  /** A daemon that has ended and that nobody waits for is not running either. */
  #runs(): boolean {
    return this.#pid !== undefined && startTime(this.#pid) === this.#started && !isZombie(this.#pid);
  }
}

/** What a killed daemon left: containers' keepers, told by the folder in their command line. */
async function processesNaming(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return pids.filter((_, index) => lines[index]?.includes(`${folder}/`)).map(Number);
}

function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}
