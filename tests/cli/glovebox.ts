import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { lockFile } from "../../src/compose.ts";
import { gloveboxHome } from "../../src/config.ts";
import { findEnvironment } from "../../src/sandbox/environment/find.ts";

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Call {
  readonly env?: Record<string, string | undefined>;
  readonly input?: string;
  /** Gets the running process as soon as its stdout, or the stream named, has shown this text. */
  readonly onShown?: {
    readonly text: string;
    readonly on?: "stdout" | "stderr";
    act(kill: (signal: NodeJS.Signals) => void): void;
  };
}

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const plain = { NO_COLOR: undefined, FORCE_COLOR: undefined, COLUMNS: undefined, TERM: "xterm" };

/** Runs the command line as a child process, as a person would. */
export function glovebox(args: string[], call: Call = {}): Promise<Outcome> {
  return start(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], call);
}

/** The same by way of a shell script, in which $GLOVEBOX stands for the command. */
export function inShell(script: string, call: Call = {}): Promise<Outcome> {
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${main}"`;
  return start("bash", ["-c", script.replaceAll("$GLOVEBOX", command)], call);
}

export async function start(program: string, args: string[], call: Call = {}): Promise<Outcome> {
  const child = spawn(program, args, { env: { ...process.env, ...plain, ...call.env }, stdio: "pipe" });
  child.stdin.on("error", () => {});
  child.stdin.end(call.input ?? "");
  let shown = "";
  let told = false;
  child[call.onShown?.on ?? "stdout"].on("data", (data: Buffer) => {
    shown += data.toString();
    if (told || !call.onShown || !shown.includes(call.onShown.text)) return;
    told = true;
    call.onShown.act((signal) => void child.kill(signal));
  });
  const exited = new Promise<number | null>((resolve) => {
    child.on("close", (status) => resolve(status));
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { status, stdout, stderr };
}

export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** A home of the test's own: the Python environment is the shared one, all that is kept goes with the test. */
export async function temporaryHome(): Promise<string> {
  const home = await temporaryFolder();
  for (const name of ["environments", "cache"]) await symlink(join(gloveboxHome(), name), join(home, name));
  assert.ok(await findEnvironment({ home, lockFile }), "run `glovebox setup` first");
  return home;
}

/** A folder of the test's own that goes with it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "glovebox-test-"));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
