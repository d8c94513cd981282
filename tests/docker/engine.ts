import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { kernelFolder, lockFile } from "../../src/compose.ts";
import type { Session } from "../../src/index.ts";
import { imageTag } from "../../src/sandbox/docker/image.ts";
import { dockerfile, usualLimits, type World } from "./world.ts";

const unavailable = (message: RegExp) => ({ name: "GloveboxError", code: "sandbox-unavailable", message });

/** What the sandbox does when the engine is not as it should be, and what it leaves behind. */
export function engineBehaviour(world: () => World): void {
  test("a daemon that does not answer is said, with the fix", async () => {
    const sandbox = world().sandbox({ env: { ...process.env, DOCKER_HOST: "unix:///nowhere/docker.sock" } });
    await assert.rejects(sandbox.warm(), unavailable(/daemon does not answer; start it/));
    await assert.rejects(sandbox.open({ ...usualLimits, mounts: [] }), unavailable(/start it/));
    await sandbox.close();
  });

  test("an engine that is not installed is said, with the fix", async () => {
    const sandbox = world().sandbox({ command: "/nowhere/docker" });
    await assert.rejects(sandbox.warm(), unavailable(/docker was not found; install Docker or Podman/));
    await sandbox.close();
  });

  test("a missing image is said, with the command that builds it", async () => {
    const sandbox = world().sandbox({ image: "glovebox-kernel:never-built" });
    await assert.rejects(sandbox.warm(), unavailable(/glovebox setup --sandbox docker/));
    await sandbox.close();
  });

  test("a socket that may not be used is said, with the fix", async () => {
    const folder = await mkdtemp(join(tmpdir(), "glovebox-engine-"));
    await chmod(folder, 0o755);
    const command = join(folder, "docker");
    await writeFile(
      command,
      '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups docker "$@"\n',
    );
    await chmod(command, 0o755);
    await chmod(world().daemon.folder, 0o755);
    const env = { ...world().daemon.env, HOME: "/nowhere" };
    const sandbox = world().sandbox({ command, env });
    await assert.rejects(sandbox.warm(), unavailable(/may not use the socket .* usermod -aG docker/));
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  test("a runtime that the engine does not know is said", async () => {
    const sandbox = world().sandbox({ runtime: "no-such-runtime" });
    await assert.rejects(sandbox.warm(), unavailable(/does not know the container runtime/));
    await sandbox.close();
    assert.deepEqual(await world().daemon.containersSettleTo(), []);
  });

  test("a session's container has the walls and limits that were asked for", async () => {
    await using box = await world().open({ pool: 0 });
    await using session = await box.session();
    await session.run("1");
    const [name = ""] = await world().daemon.containers();
    const [told] = JSON.parse(await world().daemon.docker("inspect", name));
    const { NetworkMode, ReadonlyRootfs, CapDrop, SecurityOpt, IpcMode, Binds, Mounts, Privileged } =
      told.HostConfig;
    assert.deepEqual(
      { NetworkMode, ReadonlyRootfs, CapDrop, SecurityOpt, IpcMode, Binds, Mounts, Privileged },
      {
        NetworkMode: "none",
        ReadonlyRootfs: true,
        CapDrop: ["ALL"],
        SecurityOpt: ["no-new-privileges"],
        IpcMode: "private",
        Binds: null,
        Mounts: undefined,
        Privileged: false,
      },
    );
    const { Memory, MemorySwap, PidsLimit, NanoCpus } = told.HostConfig;
    const MiB = 1 << 20;
    assert.deepEqual(
      { Memory, MemorySwap, PidsLimit, NanoCpus },
      { Memory: 3136 * MiB, MemorySwap: 3136 * MiB, PidsLimit: 80, NanoCpus: 1e9 },
    );
    assert.equal((await session.walls()).mode, "container");
  });

  test("sessions have accounts of their own, and none of them is root", async () => {
    await using box = await world().open();
    await using one = await box.session();
    await using other = await box.session();
    const accounts = await Promise.all([one, other].map((each) => valueIn(each, "import os; os.getuid()")));
    assert.equal(new Set([0, ...accounts]).size, 3);
  });

  test("the pool is refilled up to its bound, and goes with its sandbox", async () => {
    const box = await world().open({ pool: 2 });
    const session = await box.session();
    await session.run("1");
    await session.close();
    const mine = await world().daemon.containersReach(2);
    await box.close();
    assert.equal(mine.length, 2);
    assert.deepEqual(await world().daemon.containers(), []);
  });

  test("a container that was killed while it waited is not given to a session", async () => {
    await using box = await world().open({ pool: 1 });
    const [waiting = ""] = await world().daemon.containers();
    await world().daemon.docker("kill", waiting);
    assert.ok(!(await world().daemon.containersSettleTo()).includes(waiting));
    await using session = await box.session();
    const first = await session.run("40 + 2");
    assert.deepEqual([first.kind === "object" && first.json, first.notice], [42, undefined]);
  });

  test("a container that is killed from outside costs the running cell, and the session goes on with its files", async () => {
    await using box = await world().open({ pool: 0 });
    await using session = await box.session();
    await session.run("open('kept.txt', 'w').write('kept')");
    const { result } = await during(session, async () => {
      for (const name of await world().daemon.containers()) await world().daemon.docker("kill", name);
    });
    assert.equal(result.kind === "error" && result.name, "SandboxDied");
    const next = await session.run("open('kept.txt').read()");
    assert.equal(next.kind === "object" && next.json, "kept");
    assert.match(next.notice ?? "", /started anew: 1 files are back/);
  });

  for (const [how, signal] of [
    ["is restarted", "SIGTERM"],
    ["crashes and comes back", "SIGKILL"],
  ] as const) {
    test(`a daemon that ${how} costs the running cell, and the session goes on with its files`, async () => {
      const { daemon } = world();
      await using box = await world().open();
      const session = await box.session();
      await session.run("open('kept.txt', 'w').write('kept')");
      const before = await daemon.containers();
      const { result } = await during(session, () => daemon.stop(signal));
      assert.equal(result.kind === "error" && result.name, "SandboxDied");
      await assert.rejects(session.run("1"), unavailable(/daemon does not answer/));
      await daemon.start();
      const next = await session.run("open('kept.txt').read()");
      assert.equal(next.kind === "object" && next.json, "kept");
      await session.close();
      await box.close();
      assert.deepEqual(
        (await daemon.containersSettleTo()).filter((name) => before.includes(name)),
        [],
      );
    });
  }

  test("a start that is given up leaves no container", async () => {
    const sandbox = world().sandbox({ pool: 0 });
    await sandbox.warm();
    const stop = new AbortController();
    const opening = sandbox.open({ ...usualLimits, mounts: [] }, stop.signal);
    stop.abort();
    await assert.rejects(opening, { name: "AbortError" });
    await sandbox.close();
    assert.deepEqual(await world().daemon.containersSettleTo(), []);
  });

  test("the containers of a process that was killed end with it", async () => {
    const host = await hostProcess(world());
    assert.ok((await world().daemon.containers()).length > 0);
    await killed(host);
    assert.deepEqual(await world().daemon.containersSettleTo(), []);
  });

  test("what a killed process left is removed at the next start, and what a living one has is not", async () => {
    const { daemon } = world();
    const living = await hostProcess(world());
    const theirs = await daemon.containers();
    const doomed = await hostProcess(world());
    const left = (await daemon.containers()).filter((name) => !theirs.includes(name));
    // Frozen, they cannot hear that their host is gone.
    for (const name of left) await daemon.docker("pause", name);
    await killed(doomed);
    assert.deepEqual(
      (await daemon.containers()).filter((name) => left.includes(name)),
      left,
    );
    const sandbox = world().sandbox({ pool: 0 });
    await sandbox.warm();
    assert.deepEqual((await daemon.containersSettleTo(...theirs)).sort(), theirs.sort());
    await sandbox.close();
    await killed(living);
    assert.deepEqual(await daemon.containersSettleTo(), []);
  });

  test("an image is named for what is in it", async () => {
    const source = { kernelFolder, lockFile, dockerfile };
    const tags = [await imageTag(source), await imageTag({ ...source, base: "other" })];
    tags.push(await imageTag({ ...source, dockerfile: lockFile }));
    assert.equal(new Set(tags).size, 3);
    assert.equal(await imageTag(source), tags[0]);
  });
}

async function valueIn(session: Session, code: string): Promise<unknown> {
  const result = await session.run(code);
  assert.equal(result.kind, "object", JSON.stringify(result));
  return result.kind === "object" ? result.json : undefined;
}

/** Does something while a cell is running, and gives what became of the cell. */
async function during(session: Session, act: () => Promise<void>) {
  const begun = Promise.withResolvers<void>();
  const running = session.run("import time\nprint('begun', flush=True)\ntime.sleep(60)", {
    onEvent: (event) => event.type === "stdout-delta" && begun.resolve(),
  });
  await begun.promise;
  await act();
  return { result: await running };
}

async function hostProcess(world: World): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("host-process.ts", import.meta.url));
  const flags = process.execArgv.filter((flag) => !flag.startsWith("--test"));
  const host = spawn(process.execPath, [...flags, script, world.image], {
    stdio: ["ignore", "pipe", "inherit"],
    env: world.daemon.env,
  });
  assert.ok(host.stdout);
  const said = once(createInterface({ input: host.stdout }), "line").then(() => true);
  const ended = once(host, "exit").then(() => false);
  assert.ok(await Promise.race([said, ended]), "the host process ended before it was ready");
  return host;
}

async function killed(host: ChildProcess): Promise<void> {
  const exited = once(host, "exit");
  host.kill("SIGKILL");
  await exited;
}
