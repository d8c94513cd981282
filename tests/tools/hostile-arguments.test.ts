import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { dispatch } from "../../src/tools/dispatch.ts";
import { explainRefusal } from "../../src/tools/openai-code-interpreter/refusal.ts";
import { withoutFence } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { tableHandles } from "../../src/tools/tables/handles.ts";
import { type ToolContext, tool } from "../../src/tools/tool.ts";
import { inTime } from "./in-time.ts";

const echo = tool({
  name: "echo",
  description: "Echoes.",
  parameters: z.strictObject({ value: z.unknown() }),
  run: async ({ value }) => ({ message: { kind: "object", json: value }, value, success: true }),
});

/** What a model reads of a call with these arguments, exactly as it wrote them. */
async function told(name: string, written: string): Promise<Record<string, unknown>> {
  const context = { signal: AbortSignal.timeout(60_000), emit: () => {} } as unknown as ToolContext;
  const call = { type: "function_call" as const, call_id: "call_1", name, arguments: written };
  const { output } = await dispatch(call, { registry: new ToolRegistry([echo]), context });
  return JSON.parse(output) as Record<string, unknown>;
}

test("Code that begins like a fence and goes on with blanks is code, however many there are", () => {
  const code = `\`\`\`${" ".repeat(1 << 20)}x`;
  assert.equal(
    inTime(() => withoutFence(code)),
    code,
  );
});

test("A refusal that repeats itself for a megabyte is read in no time", () => {
  const refusal = Object.assign(new Error("container ".repeat(1 << 18)), { status: 404 });
  const { code } = inTime(() => explainRefusal(refusal, { what: "It failed" }));
  assert.equal(code, "provider-tool");
});

test("Tables that only numbers can tell apart are numbered, however many there are", () => {
  const files = Array.from({ length: 30_000 }, (_, number) => ({
    path: `${[...number.toString(2)].map((digit) => "!+"[Number(digit)]).join("")}/a.csv`,
    bytes: 1,
    modified_ms: 1,
  }));
  const names = inTime(() => tableHandles(files)).map(({ name }) => name);
  assert.equal(new Set(names).size, files.length);
});

test("Arguments that are longer than any code are refused before they are read", async () => {
  assert.deepEqual(await told("echo", `{"value":"${"x".repeat(1 << 20)}"}`), {
    kind: "error",
    name: "BadArguments",
    message: "The arguments have 1,048,588 characters; 1,048,576 are allowed. Send less at a time.",
  });
});

test("Names that objects inherit are no tools", async () => {
  for (const name of ["__proto__", "constructor", "toString", "", "echo\n", "echo\u0000"]) {
    const { name: error, tools } = await told(name, "{}");
    assert.deepEqual([error, tools], ["UnknownTool", ["echo"]]);
  }
});

test("Arguments change no other object, and a nest without end is refused", async () => {
  assert.deepEqual((await told("echo", '{"value":1,"__proto__":{"polluted":1}}')).name, "BadArguments");
  await told("echo", '{"value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}');
  assert.equal("polluted" in {}, false);
  assert.equal(
    (await told("echo", `{"value":${"[".repeat(200_000)}${"]".repeat(200_000)}}`)).name,
    "BadArguments",
  );
});
