import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { AgentEvent } from "../../src/protocol/events.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { auditLog } from "../../src/telemetry/audit-log.ts";
import { openTelemetry } from "../../src/telemetry/telemetry.ts";
import { python, scriptedAgent } from "../support/agent.ts";
import { inSession, openTestBox } from "../support/box.ts";

type Fields = Record<string, unknown>;

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "glovebox-audit-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function records(file: string): Promise<Fields[]> {
  const text = await readFile(file, "utf8");
  assert.ok(text.endsWith("\n"));
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Fields);
}

const whose = (turn: string) => ({ agent: `agent ${turn}`, turn });
const started = (turn: string): AgentEvent => ({
  ...whose(turn),
  type: "turn-start",
  model: `model ${turn}`,
  provider: "test",
  conversation: `conv ${turn}`,
});
const begun = (turn: string, cell: number, code: string): AgentEvent => ({
  ...whose(turn),
  type: "cell-start",
  callId: `call ${turn}`,
  cell,
  code,
});
const done = (turn: string, cell: number, text: string): AgentEvent => ({
  ...whose(turn),
  type: "cell-end",
  callId: `call ${turn}`,
  cell,
  result: { kind: "text", text, cell, duration_ms: 5 },
});
const ended = (turn: string): AgentEvent => ({
  ...whose(turn),
  type: "turn-end",
  reason: "aborted",
  answer: "",
  usage: noUsage,
});
const time = "2026-01-02T03:04:05.000Z";
const now = () => Date.parse(time);
const line = (turn: string, cell: number, code: string, more: Fields): Fields => ({
  time,
  session: "s1",
  ...whose(turn),
  conversation: `conv ${turn}`,
  model: `model ${turn}`,
  call: `call ${turn}`,
  cell,
  code,
  ...more,
  files: [],
});

test("Every cell of a turn is a line: whose it is, its code, what it came to and which files", async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  const box = await openTestBox();
  const telemetry = await openTelemetry({ file, session: "s1", env: { THE_TOKEN: "rosebud-1941" } });
  const conversation = await inSession(box, async (session) => {
    const { agent, conversation } = scriptedAgent(session, [
      python("key = 'rosebud-1941'\nprint('kept', key)\nopen('made.txt', 'w').write('abc')"),
      python("1 / 0"),
      "Done.",
    ]);
    await agent.ask("Go.", { onEvent: telemetry });
    return conversation;
  });
  const [first, second, ...more] = await records(file);
  assert.deepEqual(more, []);
  assert.ok(first && second);
  assert.deepEqual(first, {
    time: first.time,
    session: "s1",
    agent: "test",
    turn: first.turn,
    conversation: conversation.id,
    model: "scripted",
    call: "call_1",
    cell: 1,
    code: "key = '[redacted]'\nprint('kept', key)\nopen('made.txt', 'w').write('abc')",
    kind: "object",
    output: "kept [redacted]\n\n3",
    duration_ms: first.duration_ms,
    files: [{ path: "/mnt/data/made.txt", bytes: 3 }],
  });
  assert.deepEqual([second.kind, second.turn, second.cell], ["error", first.turn, 2]);
  assert.match(String(second.output), /ZeroDivisionError: division by zero$/);
});

test("Turns that run beside each other are kept apart", async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  const take = auditLog({ file, session: "s1", now });
  for (const event of [
    started("one"),
    started("two"),
    begun("one", 1, "a"),
    begun("two", 1, "b"),
    done("two", 1, "B"),
    done("one", 1, "A"),
  ]) {
    take(event);
  }
  assert.deepEqual(await records(file), [
    line("two", 1, "b", { kind: "text", output: "B", duration_ms: 5 }),
    line("one", 1, "a", { kind: "text", output: "A", duration_ms: 5 }),
  ]);
});

test("A cell that its turn did not wait for is written too", async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  const take = auditLog({ file, session: "s1", now });
  for (const event of [started("one"), begun("one", 1, "while True: pass"), ended("one")]) take(event);
  assert.deepEqual(await records(file), [
    line("one", 1, "while True: pass", { kind: "unfinished", output: "", duration_ms: 0 }),
  ]);
});

test("Code that a provider ran is written with its container", async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  const take = auditLog({ file, now });
  take(started("one"));
  take({
    ...whose("one"),
    type: "item",
    item: {
      type: "code_interpreter_call",
      id: "ci_1",
      status: "completed",
      code: "print(1)",
      container_id: "cntr_1",
      outputs: [{ type: "logs", logs: "1\n" }],
    },
  });
  assert.deepEqual(await records(file), [
    {
      time,
      container: "cntr_1",
      ...whose("one"),
      conversation: "conv one",
      model: "model one",
      call: "ci_1",
      code: "print(1)",
      kind: "completed",
      output: "1\n",
    },
  ]);
});

test("Long code and long output are cut in the middle, after their secrets are out", async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  const take = auditLog({ file, now });
  const half = 8 * 1024;
  const output = `${"a".repeat(half - 15)} password=${"s".repeat(100)} ${"🎉".repeat(50_000)}`;
  for (const event of [started("one"), begun("one", 1, "x".repeat(100_000)), done("one", 1, output)])
    take(event);
  const [only] = await records(file);
  assert.match(String(only?.code), /^x{32768}\n… 34464 characters cut …\nx{32768}$/);
  const told = String(only?.output);
  assert.ok(told.length < 2 * half + 100 && !told.includes("sss") && told.isWellFormed());
});

test("Only its owner can read the log", async (t) => {
  const file = join(await folder(t), "below", "audit.jsonl");
  const take = auditLog({ file });
  for (const event of [started("one"), begun("one", 1, "a"), done("one", 1, "A")]) take(event);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await chmod(file, 0o644);
  for (const event of [begun("one", 2, "a"), done("one", 2, "A")]) take(event);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test("A log that has grown is set aside, and the oldest goes", async (t) => {
  const path = await folder(t);
  const file = join(path, "audit.jsonl");
  const take = auditLog({ file, mostBytes: 4000, older: 2 });
  take(started("one"));
  const lines = 60;
  for (let cell = 1; cell <= lines; cell++) {
    take(begun("one", cell, "x".repeat(300)));
    take(done("one", cell, "A"));
  }
  assert.deepEqual((await readdir(path)).sort(), ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
  const kept: Fields[] = [];
  for (const name of ["audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"]) {
    assert.ok((await stat(join(path, name))).size <= 4000);
    kept.push(...(await records(join(path, name))));
  }
  assert.deepEqual(
    kept.map(({ cell }) => cell),
    Array.from({ length: kept.length }, (_, n) => lines - kept.length + 1 + n),
  );
});

test("A log that cannot be written is told once, and the turn goes on", async (t) => {
  const path = await folder(t);
  const file = join(path, "audit.jsonl");
  await mkdir(file);
  const log: string[] = [];
  const take = auditLog({ file, onLog: (said) => log.push(said) });
  take(started("one"));
  for (const cell of [1, 2, 3]) {
    take(begun("one", cell, "a"));
    take(done("one", cell, "A"));
  }
  assert.equal(log.length, 1);
  assert.match(log[0] ?? "", /^The audit log .*audit\.jsonl cannot be written/);
  await rm(file, { recursive: true });
  take(begun("one", 4, "a"));
  take(done("one", 4, "A"));
  assert.equal((await records(file)).length, 1);
});

test("A line that was cut off does not take the next one with it", async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  await writeFile(file, '{"whole":1}\n');
  await appendFile(file, '{"cut of');
  const take = auditLog({ file });
  for (const event of [started("one"), begun("one", 1, "a"), done("one", 1, "A")]) take(event);
  const lines = (await readFile(file, "utf8")).split("\n");
  assert.equal(lines.length, 4);
  assert.equal((JSON.parse(lines[2] ?? "") as Fields).code, "a");
});

test("Processes that are killed while they write leave whole lines, but for the one that each was at", {
  timeout: 120_000,
}, async (t) => {
  const file = join(await folder(t), "audit.jsonl");
  const script = fileURLToPath(new URL("audit-writer-process.ts", import.meta.url));
  const write = async (name: string): Promise<number> => {
    const writer: ChildProcess = spawn(process.execPath, [script, file, name], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => writer.kill("SIGKILL"));
    const exited = once(writer, "exit");
    let written = 0;
    for await (const said of createInterface({ input: writer.stdout as NodeJS.ReadableStream })) {
      written = Number(said);
      if (written === 50) writer.kill("SIGKILL");
    }
    await exited;
    return written;
  };
  const [a, b] = await Promise.all([write("a"), write("b")]);
  const lines = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  const found = lines.flatMap((each) => {
    try {
      return [JSON.parse(each) as Fields];
    } catch {
      return [];
    }
  });
  assert.ok(lines.length - found.length <= 2);
  const cellsOf = (name: string) => found.filter(({ turn }) => turn === name).map(({ cell }) => cell);
  for (const [name, written] of [
    ["a", a],
    ["b", b],
  ] as const) {
    const cells = cellsOf(name);
    assert.ok(written >= 50 && cells.length >= written);
    assert.deepEqual(
      cells,
      Array.from({ length: cells.length }, (_, n) => n + 1),
    );
  }
});
