import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { GloveboxError } from "../../errors.ts";
import { pidNamespace, startTime } from "../../support/process-identity.ts";
import type { ReportProgress } from "./environment.ts";
import { aborted } from "./run-command.ts";

type Owner = { pid: number; startTime: string; pidNamespace: string; nonce: string };

export type SetupTurn = { assertHeld(): void; end(): void };

const pollMs = 200;
const heartbeatMs = 2_000;
const foreignSilenceMs = 20_000;
// The installer of a killed setup ends by itself within this time.
const orphanMs = 300;

/** Waits until no other setup works in the folder. The file names its owner, so a dead owner's turn is taken over. */
export async function takeTurn(
  path: string,
  options: { onProgress?: ReportProgress | undefined; signal?: AbortSignal | undefined },
): Promise<SetupTurn> {
  const mine = JSON.stringify(self());
  let told = false;
  for (;;) {
    if (options.signal?.aborted) throw aborted(options.signal);
    if (claim(path, mine)) return held(path, mine);
    const theirs = read(path);
    if (theirs === undefined) continue;
    if (isDead(path, theirs)) {
      remove(path, theirs);
      await sleep(orphanMs);
      continue;
    }
    if (!told)
      options.onProgress?.({ step: "Waiting for another setup", detail: `process ${parse(theirs)?.pid}` });
    told = true;
    await sleep(pollMs);
  }
}

function held(path: string, mine: string): SetupTurn {
  const heartbeat = setInterval(() => {
    const now = new Date();
    if (read(path) === mine) utimesSync(path, now, now);
  }, heartbeatMs).unref();
  return {
    assertHeld() {
      if (read(path) === mine) return;
      throw new GloveboxError(
        "environment",
        "Another setup took this one's place; run `glovebox setup` again.",
      );
    },
    end() {
      clearInterval(heartbeat);
      if (read(path) === mine) rmSync(path, { force: true });
    },
  };
}

// A link of a written file: the turn is never seen without its owner.
function claim(path: string, mine: string): boolean {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, mine, { mode: 0o644 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function remove(path: string, dead: string): void {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
    // Someone else was quicker and this is their turn: give it back.
    if (read(aside) !== dead) linkSync(aside, path);
  } catch {
    // the next round sees what is there
  }
  rmSync(aside, { force: true });
}

// A pid says nothing after a reboot or in another container; there the heartbeat decides.
function isDead(path: string, text: string): boolean {
  const owner = parse(text);
  if (!owner) return true;
  if (owner.pidNamespace === pidNamespace()) return startTime(owner.pid) !== owner.startTime;
  try {
    return Date.now() - statSync(path).mtimeMs > foreignSilenceMs;
  } catch {
    return false;
  }
}

function self(): Owner {
  return {
    pid: process.pid,
    startTime: startTime(process.pid) ?? "",
    pidNamespace: pidNamespace(),
    nonce: randomBytes(6).toString("hex"),
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function parse(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.pid === "number" ? (owner as Owner) : undefined;
  } catch {
    return undefined;
  }
}
