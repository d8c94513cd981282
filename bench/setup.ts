import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonEnvironment } from "../src/compose.ts";
import { gloveboxHome } from "../src/config.ts";
import { openGlovebox } from "../src/index.ts";
import type { Bench } from "./bench.ts";
import { bubblewrapped, bubblewrapVersion } from "./bubblewrap.ts";
import type { Contender } from "./contenders/contender.ts";
import { drivenContender } from "./contenders/driven.ts";
import { Driver } from "./contenders/driver.ts";
import { gloveboxContender } from "./contenders/glovebox.ts";
import { describeVersions } from "./machine.ts";
import { NotMeasured } from "./not-measured.ts";
import { ensurePeerEnvironment } from "./peer-environment.ts";
import type { Plan } from "./plan.ts";
import type { ContenderName } from "./row.ts";

const driverScript = fileURLToPath(new URL("peers/driver.py", import.meta.url));
const THREADS = ["OPENBLAS", "OMP", "MKL", "NUMEXPR"].map((name) => `${name}_NUM_THREADS`);

export interface Prepared {
  readonly bench: Bench;
  readonly versions: Record<string, string>;
  close(): Promise<void>;
}

// the sessions' environment → Glovebox → each peer that this machine can have
export async function prepare(plan: Plan, progress: (words: string) => void): Promise<Prepared> {
  const home = gloveboxHome();
  progress("preparing the environments");
  const environment = await pythonEnvironment(home);
  const versions = await describeVersions(environment);
  const box = await openGlovebox();
  const env = await peerVariables(home);
  const startDriver = (python: string, args: readonly string[]) =>
    new Driver({ python, script: driverScript, args, env, limitMs: plan.limitMs });
  const cold = (name: ContenderName, command: readonly string[]) =>
    drivenContender(name, startDriver(environment.python, ["cold", ...command]), false);
  const peers: Contender[] = [];
  const variants: Contender[] = [];
  const absent: Partial<Record<ContenderName, string>> = {};
  const add = async (name: ContenderName, make: () => Promise<Contender>) => {
    try {
      peers.push(await make());
    } catch (error) {
      if (!(error instanceof NotMeasured)) throw error;
      absent[name] = error.message;
    }
  };
  await add("ipykernel", async () => {
    const peer = await ensurePeerEnvironment(home, environment);
    Object.assign(versions, { ipykernel: peer.ipykernel, jupyter_client: peer.jupyterClient });
    const driver = startDriver(peer.python, ["ipykernel"]);
    variants.push(drivenContender("ipykernel-interactive", driver, true, "run_interactive"));
    return drivenContender("ipykernel", driver, true);
  });
  await add("bwrap python", async () => {
    Object.assign(versions, { bubblewrap: await bubblewrapVersion() });
    return cold("bwrap python", bubblewrapped(environment));
  });
  await add("python", async () => cold("python", [environment.python, "-c"]));
  const glovebox = gloveboxContender(box);
  return {
    bench: {
      plan,
      glovebox,
      peers,
      variants,
      absent,
      gloveboxWith: (limits) => gloveboxContender(box, limits),
      openAnother: timeOpening,
      progress,
    },
    versions,
    async close() {
      await Promise.all([glovebox, ...peers].map((each) => each.close()));
    },
  };
}

/** The peers' native libraries get as many threads as a session's; their own files go below our home. */
async function peerVariables(home: string): Promise<NodeJS.ProcessEnv> {
  const folder = join(home, "bench", "ipython");
  await mkdir(folder, { recursive: true });
  return {
    ...process.env,
    ...Object.fromEntries(THREADS.map((name) => [name, "1"])),
    IPYTHONDIR: folder,
    JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

async function timeOpening(): Promise<number> {
  const begun = performance.now();
  const box = await openGlovebox();
  const taken = performance.now() - begun;
  await box.close();
  return taken;
}
