// A host that is about to be killed: opens a Glovebox on containers, and tells when a session and the pool are there.
import { openGlovebox } from "../../src/index.ts";
import { DockerSandbox } from "../../src/sandbox/docker/docker-sandbox.ts";
import { usualLimits } from "./world.ts";

const sandbox = new DockerSandbox({ image: process.argv[2] ?? "", limits: usualLimits, pool: 0, cpus: 1 });
await sandbox.warm();
const box = await openGlovebox({ sandbox });
const session = await box.session();
await session.run("1");
process.stdout.write("ready\n");
await session.run("import time\ntime.sleep(600)", { timeoutMs: 600_000 });
