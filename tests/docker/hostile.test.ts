import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { diskCases } from "../hostile/cases/disk.ts";
import { fileCases } from "../hostile/cases/files.ts";
import { cases } from "../hostile/cases/index.ts";
import { memoryCases } from "../hostile/cases/memory.ts";
import { networkCases } from "../hostile/cases/network.ts";
import { privilegeCases } from "../hostile/cases/privileges.ts";
import { processCases } from "../hostile/cases/processes.ts";
import { secretCases } from "../hostile/cases/secrets.ts";
import { sessionCases } from "../hostile/cases/sessions.ts";
import { hostileSuite } from "../hostile/suite.ts";
import { World, whyNoWorld } from "./world.ts";

const MiB = 1 << 20;
const LIMITS = { memory_bytes: 256 * MiB, work_bytes: 32 * MiB, tmp_bytes: 8 * MiB, processes: 32 };

const CANNOT_HOLD = {
  "Telling files of /proc tell nothing":
    "container engines leave the machine's kernel version, command line and configuration readable in /proc",
  "Oddities of /dev are the harmless ones":
    "container engines add /dev/mqueue, which limits and filter make useless, and some a link /dev/core",
  "Mounts name no folder of the host but those that hold Python":
    "container engines mount their own files, and the table of mounts names the folders these are in",
};

// What a worker says and does is the same code behind any walls: those cases are tried in the local sandbox.
const OF_THE_WALLS = [
  ...secretCases,
  ...networkCases,
  ...privilegeCases,
  ...fileCases,
  ...memoryCases,
  ...processCases,
  ...diskCases,
  ...sessionCases,
];
const everything = process.env.GLOVEBOX_TEST_DOCKER === "all";
const why = await whyNoWorld();

if (why) {
  test("hostile cells in containers", { skip: why }, () => {});
} else {
  describe("hostile cells in containers", () => {
    let world: World;
    before(async () => {
      world = await World.stand();
    });
    after(() => world?.[Symbol.asyncDispose]());
    hostileSuite("the docker sandbox", () => world.open({ limits: LIMITS, pool: 3 }), {
      cases: everything ? cases : OF_THE_WALLS,
      cannotHold: CANNOT_HOLD,
    });
    test("no container is left of them", async () => assert.deepEqual(await world.daemon.containers(), []));
  });
}
