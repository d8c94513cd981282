import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { FileAccessAgent } from "../../src/agent/file-access-agent.ts";
import { Conversation } from "../../src/history/conversation.ts";
import { type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import type { HostMount } from "../../src/session/host-mount.ts";
import type { Session } from "../../src/session/session.ts";
import { delimiterFor } from "../../src/support/delimited-data.ts";
import { assertEveryCallAnsweredOnce, readOutputs } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

const box = await openTestBox();
const packed = gzipSync("a\n1\n");

let top: string;
let data: string;
before(async () => {
  top = await mkdtemp(join(tmpdir(), "glovebox-file-access-"));
  data = join(top, "data");
  await mkdir(join(data, "old"), { recursive: true });
  await writeFile(join(data, "sales.csv"), "region,units\nNorth,3\nSouth,4\n");
  await writeFile(join(data, "old", "Umsatz.csv"), Buffer.from("Stra\xdfe;Betrag\n", "latin1"));
  await writeFile(join(data, "caf\u00e9.csv"), "a\n");
  await writeFile(join(data, "packed.csv.gz"), packed);
  await writeFile(join(data, "wide.txt"), `\ufeff${"x".repeat(5000)}\nnext\n`, "utf16le");
  await writeFile(join(top, "secret.txt"), "the secret");
  await symlink("../secret.txt", join(data, "link.txt"));
  await promisify(execFile)("mkfifo", [join(data, "pipe.csv")]);
});
after(() => rm(top, { recursive: true, force: true }));

const call = (name: string, args: Record<string, unknown>): ScriptLine => ({
  calls: [{ name, arguments: args }],
});

async function work(session: Session, script: ScriptLine[], mount: Partial<HostMount> = {}) {
  const model = scriptedModel(script);
  const conversation = new Conversation();
  const agent = new FileAccessAgent({
    model,
    session,
    conversation,
    mounts: [{ hostPath: data, mountPath: "in", ...mount }],
    roots: [top],
  });
  const { context, turn } = await agent.task("Find the sales.");
  assertEveryCallAnsweredOnce(turn.items);
  return { context, turn, model, conversation, outputs: readOutputs(turn.items) };
}

describe("the agent with host files", () => {
  test("looks, describes, copies into the session and writes the context", async () => {
    await inSession(box, async (session) => {
      const { context, outputs, conversation, model } = await work(session, [
        call("list_host_files", { pattern: "s*.CSV" }),
        call("describe_host_file", { path: "in/sales.csv", lines: 2 }),
        call("copy_to_session", { path: "in/sales.csv", name: "sales.csv" }),
        "sales.csv has region and units.",
      ]);
      assert.equal(context, "sales.csv has region and units.");
      assert.deepEqual(outputs, [
        {
          kind: "object",
          json: {
            files: [
              { path: "in/old/Umsatz.csv", bytes: 14 },
              { path: "in/sales.csv", bytes: 29 },
            ],
            total: 2,
          },
        },
        {
          kind: "object",
          json: {
            path: "in/sales.csv",
            bytes: 29,
            type: "text",
            encoding: "utf-8",
            first_lines: delimiterFor(conversation.id).wrap("first lines of a file", "region,units\nNorth,3"),
          },
        },
        { kind: "object", json: { path: "/mnt/data/sales.csv", bytes: 29 } },
      ]);
      assert.equal((await session.files.get("sales.csv")).toString(), "region,units\nNorth,3\nSouth,4\n");
      for (const request of model.requests) {
        assert.deepEqual(
          request.tools.map((spec) => spec.type === "function" && spec.name),
          ["list_host_files", "describe_host_file", "copy_to_session"],
        );
      }
    });
  });

  test("describes any encoding and packed files, in bounds", async () => {
    await inSession(box, async (session) => {
      const describe = (path: string) => call("describe_host_file", { path: `in/${path}` });
      const { outputs, conversation } = await work(session, [
        describe("old/Umsatz.csv"),
        describe("packed.csv.gz"),
        describe("wide.txt"),
        "Done.",
      ]);
      const { wrap } = delimiterFor(conversation.id);
      const lines = (text: string) => wrap("first lines of a file", text);
      assert.deepEqual(
        outputs.map(({ json }) => json),
        [
          {
            path: "in/old/Umsatz.csv",
            bytes: 14,
            type: "text",
            encoding: "windows-1252",
            first_lines: lines("Straße;Betrag"),
          },
          { path: "in/packed.csv.gz", bytes: packed.length, type: "gzip" },
          {
            path: "in/wide.txt",
            bytes: 10014,
            type: "text",
            encoding: "utf-16le",
            first_lines: lines(`${"x".repeat(400)}… (4,600 more characters)\nnext`),
          },
        ],
      );
    });
  });

  test("cannot name anything but what the mounts select", async () => {
    const elsewhere = [
      "../secret.txt",
      "in/../../secret.txt",
      "/etc/passwd",
      "in/link.txt",
      "in/pipe.csv",
      "in/old",
      "in",
      "in/SALES.csv",
      "in/cafe\u0301.csv",
      "in/sales.csv\0.txt",
      "in//sales.csv",
      join(data, "sales.csv"),
      "/proc/self/root/etc/passwd",
      "file:///etc/passwd",
      "http://127.0.0.1/a.csv",
    ];
    await inSession(box, async (session) => {
      const { outputs } = await work(session, [
        { calls: elsewhere.map((path) => ({ name: "copy_to_session", arguments: { path } })) },
        { calls: elsewhere.map((path) => ({ name: "describe_host_file", arguments: { path } })) },
        "Nothing found.",
      ]);
      assert.equal(outputs.length, 2 * elsewhere.length);
      for (const { kind, message } of outputs) {
        assert.equal(kind, "error");
        assert.match(
          String(message),
          /There is no host file .* There are: "in\/café\.csv".*"in\/sales\.csv"/,
        );
      }
      assert.deepEqual(await session.files.list(), []);
    });
  });

  test("cannot copy to a name outside the session's folder", async () => {
    await inSession(box, async (session) => {
      const wrong = ["../x", "/etc/passwd", "a/../../x", "x\0", ""];
      const { outputs } = await work(session, [
        {
          calls: wrong.map((name) => ({
            name: "copy_to_session",
            arguments: { path: "in/sales.csv", name },
          })),
        },
        "Refused.",
      ]);
      for (const { message } of outputs) assert.match(String(message), /is not a name below \/mnt\/data/);
      assert.deepEqual(await session.files.list(), []);
    });
  });

  test("is told why a file does not fit, and goes on", async () => {
    await writeFile(join(top, "large.csv"), Buffer.alloc(3 << 20));
    await using session = await box.session({ limits: { workBytes: 2 << 20 } });
    const { outputs, context } = await work(
      session,
      [call("copy_to_session", { path: "large.csv" }), "It is too large."],
      { hostPath: join(top, "large.csv"), mountPath: "large.csv" },
    );
    assert.match(String(outputs[0]?.message), /3,145,728 bytes.*holds 2,097,152.*larger workBytes.*or mount/);
    assert.equal(context, "It is too large.");
  });

  test("has no Python, whatever it calls", async () => {
    await inSession(box, async (session) => {
      const { outputs, turn } = await work(session, [
        call("python_repl", { code: "open('/mnt/data/made.txt', 'w').write('x')" }),
        "There is no Python here.",
      ]);
      assert.deepEqual(outputs, [
        {
          kind: "error",
          name: "UnknownTool",
          message: 'There is no tool "python_repl". Call one of those that there are.',
          tools: ["list_host_files", "describe_host_file", "copy_to_session"],
        },
      ]);
      assert.deepEqual(turn.cells, []);
      assert.deepEqual(await session.files.list(), []);
    });
  });

  test("sees what the globs leave and keeps to the byte limit", async () => {
    await inSession(box, async (session) => {
      const narrow = { includeGlobs: ["**/*.csv"], excludeGlobs: ["old/**"] };
      const list = call("list_host_files", {});
      const { outputs } = await work(session, [list, "Two."], narrow);
      assert.deepEqual(outputs[0]?.json, {
        files: [
          { path: "in/café.csv", bytes: 2 },
          { path: "in/sales.csv", bytes: 29 },
        ],
        total: 2,
      });
      const limited = await work(session, [list, "Too large."], { ...narrow, maxBytes: 30 });
      assert.match(String(limited.outputs[0]?.message), /31 bytes together, more than maxBytes \(30\)/);
    });
  });

  test("patterns that would make a matcher slow are answered like others", async () => {
    await inSession(box, async (session) => {
      const pattern = `${"*a".repeat(99)}b`;
      const { outputs } = await work(session, [call("list_host_files", { pattern }), "None."]);
      assert.deepEqual(outputs[0]?.json, { files: [], total: 0 });
    });
  });
});
