import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { homedir, networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import type { Bait } from "./wall-facts.ts";

/** Listeners, a file and an environment variable on the host that no session may find. */
export class LaidBait implements AsyncDisposable {
  readonly bait: Bait;
  readonly #servers: Server[];
  readonly #folder: string;

  private constructor(bait: Bait, servers: Server[], folder: string) {
    this.bait = bait;
    this.#servers = servers;
    this.#folder = folder;
  }

  /** Laid before the sandbox starts, since it is from this process that it would inherit. */
  static async lay(): Promise<LaidBait> {
    const abstractSocket = `glovebox-doctor-${randomUUID()}`;
    const variable = "GLOVEBOX_DOCTOR_BAIT";
    process.env[variable] = "seen";
    const folder = await mkdtemp(join(tmpdir(), "glovebox-doctor-"));
    const file = join(folder, "bait");
    await writeFile(file, "seen", { mode: 0o644 });
    const servers: Server[] = [];
    const addresses: (readonly [string, number])[] = [];
    for (const host of hostAddresses()) {
      const server = await listen({ host, port: 0 });
      const address = server?.address();
      if (!server || !address || typeof address === "string") continue;
      servers.push(server);
      addresses.push([host, address.port]);
    }
    const local = await listen({ path: `\0${abstractSocket}` });
    if (local) servers.push(local);
    const files = [file, "/etc/shadow", "/etc/ssh", "/var", "/.host", join(homedir(), ".ssh")];
    return new LaidBait({ addresses, abstractSocket, files, variable }, servers, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    delete process.env[this.bait.variable];
    for (const server of this.#servers) server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function hostAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = all.filter((one) => one.family === "IPv4" && !one.internal).map((one) => one.address);
  return ["127.0.0.1", "::1", ...own.slice(0, 4)];
}

async function listen(where: { host: string; port: number } | { path: string }): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    server.listen(where);
    await once(server, "listening");
    return server;
  } catch {
    return undefined; // This machine has no such address.
  }
}
