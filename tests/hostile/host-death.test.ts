import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { descendants, Habitats, leftOf, stillAlive } from "./left-running.ts";
import { CHANNEL, LINGERING_SOCKET, py } from "./python.ts";

const attacks: Record<string, string> = {
  "in the middle of a cell": "print('begun', flush=True)\nwhile True: pass",
  "while a cell ignores every signal and has left daemons": py`
    import os, signal, time
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
    print("begun", flush=True)
    while True: pass
  `,
  "in the middle of a fork bomb": py`
    import os
    print("begun", flush=True)
    while True:
        try:
            os.fork()
        except OSError:
            pass
  `,
  "while a child floods the worker's channel": `${CHANNEL}${py`
    flood = frame({"type": "unbranched"}) * 20_000
    if os.fork() == 0:
        while True:
            tell(flood)
    print("begun", flush=True)
    time.sleep(0.3)
    os._exit(0)
  `}`,
  "while the supervisor closes a socket that lingers": `${CHANNEL}print("begun", flush=True)\n${LINGERING_SOCKET}time.sleep(60)\n`,
};

for (const [moment, code] of Object.entries(attacks)) {
  test(`A host that is killed ${moment} leaves no process behind`, { timeout: 60_000 }, async () => {
    const script = fileURLToPath(new URL("host-process.ts", import.meta.url));
    const host = spawn(
      process.execPath,
      [...process.execArgv.filter((flag) => !flag.startsWith("--test")), script, code],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const habitats = new Habitats();
    for (const namespace of JSON.parse(await firstLine(host)) as string[]) await habitats.add(namespace);
    // The attack begins once it has said so.
    await pause(500);
    const family = await descendants(host.pid);
    assert.ok((await habitats.inhabitants()).length > 0);
    const exited = once(host, "exit");
    host.kill("SIGKILL");
    await exited;
    assert.deepEqual(await habitats.leftRunning(), []);
    // The zygote and what it forked ahead.
    assert.deepEqual(await leftOf(() => stillAlive(family)), []);
  });
}

async function firstLine(host: ChildProcess): Promise<string> {
  assert.ok(host.stdout);
  const [line] = await once(createInterface({ input: host.stdout }), "line");
  return String(line);
}
