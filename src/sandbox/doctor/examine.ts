// find Python → raise the walls → look from inside → go over each limit; where the walls do not stand, find out why
import { GloveboxError } from "../../errors.ts";
import type { PythonEnvironment } from "../environment/environment.ts";
import { findPython } from "../environment/find-python.ts";
import { LaidBait } from "./bait.ts";
import { type Check, checked } from "./check.ts";
import { explainRefusals } from "./explain-refusal.ts";
import { readHostSettings } from "./host-settings.ts";
import { checkLimits } from "./limit-checks.ts";
import { tryNamespaces } from "./namespace-trial.ts";
import type { OpenProbeSession } from "./probe-session.ts";
import { checkPython, noPython } from "./python-checks.ts";
import { judgeWalls } from "./wall-checks.ts";
import { readWallFacts } from "./wall-facts.ts";

export interface Examination {
  readonly environment: PythonEnvironment | undefined;
  /** Starts the sandbox; throws when its walls cannot be raised. */
  start(): Promise<OpenProbeSession>;
  onStep(step: string): void;
}

export async function examine({ environment, start, onStep }: Examination): Promise<Check[]> {
  if (!environment) {
    const python = await anyPython();
    return [noPython(process.env.GLOVEBOX_PYTHON), ...(await explainWith(python))];
  }
  const python = checkPython(environment);
  await using laid = await LaidBait.lay();
  onStep("Raising the walls");
  let open: OpenProbeSession;
  try {
    open = await start();
  } catch (error) {
    if (!(error instanceof GloveboxError)) throw error;
    const reasons = await explainWith(environment.python);
    return [...python, sandboxDown(error), ...reasons];
  }
  onStep("Looking from inside");
  const walls = await checkWalls(open, laid);
  onStep("Going over the limits");
  return [...python, ...walls, ...(await checkLimits(open))];
}

async function checkWalls(open: OpenProbeSession, laid: LaidBait): Promise<Check[]> {
  const session = await open({});
  try {
    return judgeWalls(await readWallFacts(session, laid.bait), await session.walls());
  } catch (error) {
    return [await checked("walls", "walls", () => Promise.reject(error))];
  } finally {
    await session.close();
  }
}

async function explainWith(python: string | undefined): Promise<Check[]> {
  const trial = python === undefined ? undefined : await tryNamespaces(python);
  return trial ? explainRefusals(trial, readHostSettings()) : [];
}

async function anyPython(): Promise<string | undefined> {
  const found = await findPython({ env: process.env, needsPip: false }).catch(() => undefined);
  return found && "executable" in found ? found.executable : undefined;
}

function sandboxDown(error: GloveboxError): Check {
  const why = error.message.replace(/ Run "glovebox doctor"[^\n]*/, "").replaceAll("\n", " ");
  const asRoot = readHostSettings().isMappedRoot;
  const mend = asRoot ? "Run glovebox as an ordinary user, or as the machine's own root" : undefined;
  return { group: "walls", name: "sandbox", ok: false, detail: why, ...(mend ? { mend } : {}) };
}
