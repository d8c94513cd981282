import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, watch, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { glovebox, temporaryFolder, temporaryHome } from "../cli/glovebox.ts";
import { clientOf } from "../support/server.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const BOUNDARY = "form-boundary";

interface Served {
  readonly process: ChildProcess;
  readonly url: string;
  /** Its exit status, or the signal that ended it. */
  readonly exited: Promise<number | string>;
}

/** `glovebox serve` as a process of its own, once it says where it is. */
async function serve(t: TestContext, home: string, ...args: string[]): Promise<Served> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", main, "serve", "--port", "0", ...args],
    { env: { ...process.env, GLOVEBOX_HOME: home, NO_COLOR: "1" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = once(child, "exit").then(([status, signal]) => (status ?? signal) as number | string);
  t.after(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = /^Glovebox serves at (\S+)$/.exec(line)?.[1];
    if (url) return { process: child, url, exited };
  }
  throw new Error(`the server ended before it served: ${await exited}`);
}

/** An upload of which the first half is sent; `finish` sends the rest. */
function halfAnUpload(url: string): { finish(): Promise<{ id: string }>; failed: Promise<unknown> } {
  const sent = request(`${url}/v1/files`, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const failed = once(sent, "error");
  failed.catch(() => {});
  const field = (head: string, value: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}`;
  sent.write(
    `${field('name="purpose"', "user_data")}\r\n${field('name="file"; filename="half.txt"', "first ")}`,
  );
  return {
    failed,
    finish: async () => {
      sent.end(`second\r\n--${BOUNDARY}--\r\n`);
      const [answer] = await once(sent, "response");
      return (await json(answer)) as { id: string };
    },
  };
}

/** Until there is a file on its way. */
async function uploadBegun(home: string): Promise<void> {
  const drafts = join(home, "blobs", "drafts");
  const stop = new AbortController();
  try {
    const changes = watch(home, { recursive: true, signal: stop.signal });
    for (;;) {
      if ((await readdir(drafts).catch(() => [])).length > 0) return;
      await changes[Symbol.asyncIterator]().next();
    }
  } finally {
    stop.abort();
  }
}

test("SIGTERM lets a running request finish, and the server ends well", { timeout: 120_000 }, async (t) => {
  const home = await temporaryHome();
  const server = await serve(t, home);
  const upload = halfAnUpload(server.url);
  await uploadBegun(home);
  server.process.kill("SIGTERM");
  while (
    await fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    )
  );
  const { id } = await upload.finish();
  assert.equal(await server.exited, 0);
  const next = await serve(t, home);
  assert.equal(await (await clientOf(next.url).files.content(id)).text(), "first second");
  next.process.kill("SIGTERM");
  assert.equal(await next.exited, 0);
});

test("A second signal ends the server at once", { timeout: 120_000 }, async (t) => {
  const home = await temporaryHome();
  const server = await serve(t, home);
  const upload = halfAnUpload(server.url);
  await uploadBegun(home);
  server.process.kill("SIGTERM");
  while (
    await fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    )
  );
  server.process.kill("SIGTERM");
  assert.equal(await server.exited, 143);
  await upload.failed;
});

test("A server that is killed in the middle of an upload loses nothing it answered, and starts clean", {
  timeout: 120_000,
}, async (t) => {
  const home = await temporaryHome();
  const server = await serve(t, home);
  const client = clientOf(server.url);
  const whole = await client.files.create({ file: new File(["whole"], "whole.txt"), purpose: "user_data" });
  const container = await client.containers.create({ name: "kept", file_ids: [whole.id] });
  const upload = halfAnUpload(server.url);
  await uploadBegun(home);
  server.process.kill("SIGKILL");
  await upload.failed;
  assert.equal(await server.exited, "SIGKILL");
  const next = clientOf((await serve(t, home)).url);
  assert.deepEqual((await next.files.list()).data, [whole]);
  assert.equal(await (await next.files.content(whole.id)).text(), "whole");
  assert.equal((await next.containers.retrieve(container.id)).name, "kept");
  assert.equal((await next.containers.files.list(container.id)).data.length, 1);
  const blobs = await readdir(join(home, "blobs"), { recursive: true, withFileTypes: true });
  assert.equal(blobs.filter((entry) => entry.isFile()).length, 1);
});

test("What keeps a server from starting is said in a line, with what to do", {
  timeout: 120_000,
}, async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const env = { GLOVEBOX_HOME: await temporaryHome() };
  const fails = async (...args: string[]) => {
    const { status, stdout, stderr } = await glovebox(["serve", ...args], { env });
    return [status, stdout, stderr.replace(/^glovebox: /, "").trim()];
  };
  assert.deepEqual(await fails("--port", String(port)), [
    2,
    "",
    `Port ${port} of 127.0.0.1 is taken; choose another one with --port, or 0 for any that is free.`,
  ]);
  const config = join(await temporaryFolder(), "config.json");
  await writeFile(config, '{"ports": 1}');
  assert.deepEqual(await fails("--config", config), [
    2,
    "",
    `The configuration with ${config} is not usable: there is no setting ports.`,
  ]);
  assert.deepEqual(await fails("--port", "many"), [
    2,
    "",
    '--port is "many"; give a number from 0 to 65535.',
  ]);
});

test("Flags count more than the environment, and that more than the file", {
  timeout: 120_000,
}, async (t) => {
  const home = await temporaryHome();
  const config = join(await temporaryFolder(), "config.json");
  await writeFile(
    config,
    JSON.stringify({ port: 1, apiKeys: ["a-key-of-the-file-0123"], model: "ollama/of-the-file" }),
  );
  process.env.GLOVEBOX_API_KEY = "a-key-of-the-environment one-more-key-of-it";
  t.after(() => delete process.env.GLOVEBOX_API_KEY);
  const { url } = await serve(t, home, "--config", config, "--model", "offline");
  const statuses = await Promise.all(
    ["a-key-of-the-file-0123", "a-key-of-the-environment", "one-more-key-of-it"].map(async (key) => {
      const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      const { data } = (await answer.json()) as { data?: { id: string }[] };
      return [answer.status, data?.[0]?.id];
    }),
  );
  assert.deepEqual(statuses, [
    [401, undefined],
    [200, "offline"],
    [200, "offline"],
  ]);
});
