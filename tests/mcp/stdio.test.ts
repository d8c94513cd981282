import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { glovebox, jsonLines, temporaryFolder, temporaryHome } from "../cli/glovebox.ts";
import { descendants, leftOf, stillAlive } from "../hostile/left-running.ts";
import { command, enterByStdio, environment, NEWEST, structured } from "./doors.ts";
import { RawServer } from "./raw-server.ts";

const home = await temporaryHome();

describe("glovebox mcp", { timeout: 300_000 }, () => {
  test("writes nothing but the protocol to standard output, whatever a cell prints", async () => {
    const server = new RawServer(home);
    await server.initialize();
    server.write("this is no JSON\n");
    server.callPython(
      2,
      "import os, sys; print('loud'); os.write(1, b'raw\\n'); os.write(2, b'raw\\n'); !echo shell",
    );
    await server.answer(2);
    server.endInput();
    assert.deepEqual(await server.exited, [0, null]);
    assert.deepEqual(
      server.lines.map((line) => JSON.parse(line).jsonrpc),
      server.lines.map(() => "2.0"),
    );
  });

  test("ends when its input ends, though a cell runs, and leaves nothing running", async () => {
    const server = new RawServer(home, "--timeout", "600");
    await server.initialize();
    server.callPython(2, "print('begun', flush=True)\nwhile True: pass", { progressToken: 7 });
    await server.message(({ method }) => method === "notifications/progress");
    const family = await descendants(server.process.pid);
    assert.ok(family.length > 0);
    server.endInput();
    assert.deepEqual(await server.exited, [0, null]);
    assert.deepEqual(await leftOf(() => stillAlive(family)), []);
  });

  test("ends at once when nothing was ever asked of it", async () => {
    const server = new RawServer(home);
    server.endInput();
    assert.deepEqual([await server.exited, server.lines], [[0, null], []]);
  });

  test("is ended by SIGTERM", async () => {
    const server = new RawServer(home);
    await server.initialize();
    server.callPython(2, "1");
    await server.answer(2);
    const family = await descendants(server.process.pid);
    server.process.kill("SIGTERM");
    assert.deepEqual(await server.exited, [143, null]);
    assert.deepEqual(await leftOf(() => stillAlive(family)), []);
  });

  test("leaves nothing running when its client is killed", async () => {
    const script = fileURLToPath(new URL("doomed-client.ts", import.meta.url));
    const client = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], {
      env: environment(home),
      stdio: ["ignore", "pipe", "ignore"],
    });
    assert.ok(client.stdout);
    await once(client.stdout, "data");
    const family = await descendants(client.pid);
    assert.ok(family.length > 1);
    const exited = once(client, "exit");
    client.kill("SIGKILL");
    await exited;
    assert.deepEqual(await leftOf(() => stillAlive(family)), []);
  });

  test("serves a client that finds out the newest revision for itself", async () => {
    const client = new Client({ name: "auto", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(
      new StdioClientTransport({ ...command(), env: environment(home), stderr: "ignore" }),
    );
    assert.equal(client.getNegotiatedProtocolVersion(), NEWEST);
    const result = await client.callTool({ name: "python_repl", arguments: { code: "6 * 7" } });
    assert.equal(structured(result).json, 42);
    await client.close();
  });

  test("has the data in its session before anything else is done there", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sales.csv"), "a,b\n1,2\n");
    const guest = await enterByStdio({ home, args: ["--data", join(folder, "sales.csv")] });
    const { resources } = await guest.client.listResources();
    assert.deepEqual(
      resources.map(({ name, size }) => ({ name, size })),
      [{ name: "sales.csv", size: 8 }],
    );
    const loaded = await guest.call("load_csv_handle", { name: "sales", df_name: "sales" });
    assert.deepEqual(structured(loaded).head, [[1, 2]]);
  });

  test("works in the session of the given name, with the files it has", async () => {
    const first = await enterByStdio({ home, args: ["--session", "year-end"] });
    await first.call("python_repl", { code: "open('kept.txt', 'w').write('kept')" });
    await first.client.close();
    const second = await enterByStdio({ home, args: ["--session", "year-end", "--memory", "512m"] });
    const kept = await second.call("python_repl", { code: "open('kept.txt').read()" });
    assert.equal(structured(kept).json, "kept");
  });

  test("writes what it runs to the audit log", async () => {
    const guest = await enterByStdio({ home, args: ["--session", "audited"] });
    await guest.call("python_repl", { code: "1 + 1" });
    const lines = jsonLines(await readFile(join(home, "audit.jsonl"), "utf8"));
    const { agent, session, code, kind, output } = lines.find((line) => line.session === "audited") ?? {};
    assert.deepEqual(
      { agent, session, code, kind, output },
      { agent: "mcp", session: "audited", code: "1 + 1", kind: "object", output: "2" },
    );
  });

  test("refuses what it does not understand before it serves anybody", async () => {
    const calls: [string[], RegExp][] = [
      [["--data", "/nowhere/at/all.csv"], /Cannot read --data/],
      [["--session", "../x"], /cannot name a session/],
      [["--memory", "tiny"], /--memory/],
      [["surprise"], /mcp takes no "surprise"/],
      [["--sesion", "x"], /did you mean --session/],
    ];
    for (const [args, words] of calls) {
      const { status, stdout, stderr } = await glovebox(["mcp", ...args], { env: { GLOVEBOX_HOME: home } });
      assert.deepEqual([status, stdout], [2, ""]);
      assert.match(stderr, words);
    }
  });
});
