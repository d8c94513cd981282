import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Things of the host that a cell would like to reach; none of them may ever be touched. */
export interface HostTargets {
  readonly secret: string;
  readonly folder: string;
  readonly canaryFile: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socketPath: string;
  /** Without the leading NUL. */
  readonly abstractName: string;
  readonly processId: number;
  untouched(): Promise<void>;
  close(): Promise<void>;
}

export const SECRET_NAME = "GLOVEBOX_HOSTILE_CANARY";

export async function standTargets(): Promise<HostTargets> {
  const secret = `canary-${randomBytes(16).toString("hex")}`;
  process.env[SECRET_NAME] = secret;
  const folder = await mkdtemp(join(tmpdir(), "hostile-canary-"));
  const canaryFile = join(folder, "canary.txt");
  await writeFile(canaryFile, secret, { mode: 0o666 });
  const before = await stat(canaryFile);
  const socketPath = join(folder, "socket");
  const abstractName = `hostile-${randomBytes(8).toString("hex")}`;
  const visitors: string[] = [];
  const listen = async (what: string, address: object) => {
    const server = createServer((socket) => {
      visitors.push(what);
      socket.destroy();
    }).listen(address);
    await once(server, "listening");
    return server;
  };
  const tcp = await listen("tcp", { host: "127.0.0.1", port: 0 });
  const servers = [
    tcp,
    await listen("unix", { path: socketPath }),
    await listen("abstract", { path: `\0${abstractName}` }),
  ];
  const udp = createSocket("udp4", () => visitors.push("udp")).bind(0, "127.0.0.1");
  await once(udp, "listening");
  return {
    secret,
    folder,
    canaryFile,
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    socketPath,
    abstractName,
    processId: process.pid,
    async untouched() {
      assert.deepEqual(visitors, [], "a cell reached a listener of the host");
      assert.equal(await readFile(canaryFile, "utf8"), secret, "the host's file was changed");
      const now = await stat(canaryFile);
      assert.deepEqual([now.ino, now.mode, now.mtimeMs], [before.ino, before.mode, before.mtimeMs]);
      assert.deepEqual((await readdir(folder)).sort(), ["canary.txt", "socket"]);
    },
    async close() {
      delete process.env[SECRET_NAME];
      for (const server of servers) server.close();
      udp.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
