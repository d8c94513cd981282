import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { pythonRepl, withoutFence } from "../../src/tools/python-repl.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { tool } from "../../src/tools/tool.ts";

const named = (name: string, parameters: z.ZodType = z.strictObject({})) =>
  tool({
    name,
    description: `Does ${name}.`,
    parameters,
    run: async () => ({ message: "", value: undefined, success: true }),
  });

test("a tool is found by its name, and two of one name are refused", () => {
  const registry = new ToolRegistry([named("one")]);
  assert.equal(registry.get("one")?.description, "Does one.");
  assert.equal(registry.get("two"), undefined);
  assert.throws(() => registry.add(named("one")), { code: "tool", message: /already/ });
  assert.throws(() => registry.add(named("no spaces")), { code: "tool" });
  assert.deepEqual(registry.names, ["one"]);
});

test("one schema gives the specs of both APIs, closed and strict", () => {
  const registry = new ToolRegistry([pythonRepl]);
  const parameters = {
    type: "object",
    properties: {
      intent: {
        type: ["string", "null"],
        description: "One short line that tells the user what this code does.",
      },
      code: { type: "string", description: "The Python code." },
    },
    required: ["intent", "code"],
    additionalProperties: false,
  };
  const { description } = pythonRepl;
  const declared = { name: "python_repl", description, parameters, strict: true };
  assert.deepEqual(registry.specs(), [{ type: "function", ...declared }]);
  assert.deepEqual(registry.chatSpecs(), [{ type: "function", function: declared }]);
});

test("inner objects are closed too, and what cannot be closed is said not to be strict", () => {
  const inner = z.strictObject({
    of: z.array(z.object({ a: z.number().optional(), b: z.enum(["x"]).optional() })),
  });
  const open = z.strictObject({ map: z.record(z.string(), z.number()) });
  const [closed, left] = new ToolRegistry([named("closed", inner), named("open", open)]).specs();
  assert.deepEqual(closed?.type === "function" && closed.parameters, {
    type: "object",
    properties: {
      of: {
        type: "array",
        items: {
          type: "object",
          properties: {
            a: { type: ["number", "null"] },
            b: { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }] },
          },
          required: ["a", "b"],
          additionalProperties: false,
        },
      },
    },
    required: ["of"],
    additionalProperties: false,
  });
  assert.equal(left?.type === "function" && left.strict, false);
});

test("a tool of another provider is refused by name", () => {
  const hosted = {
    ...named("hosted"),
    provider: "openai",
    hosted: () => ({ type: "code_interpreter", container: "c" }) as const,
  };
  const registry = new ToolRegistry([hosted]);
  registry.checkProvider("openai");
  assert.throws(() => registry.checkProvider("ollama"), {
    code: "provider-tool",
    message: /"hosted" is run by openai/,
  });
  assert.deepEqual(registry.specs(), [{ type: "code_interpreter", container: "c" }]);
  assert.deepEqual(registry.chatSpecs(), []);
});

test("code is taken out of a fence, and left as it is without one", () => {
  const fence = "```";
  assert.equal(withoutFence(`${fence}python\nx = 1\nx\n${fence}`), "x = 1\nx");
  assert.equal(withoutFence(`\n${fence}\n1\n${fence}\n`), "1");
  assert.equal(withoutFence(`~~~py\n1\n~~~`), "1");
  assert.equal(withoutFence(`${fence}python\n\n${fence}`), "");
  for (const plain of [
    "x = 1",
    `s = """${fence}python\n1\n${fence}"""`,
    `${fence}python\n1`,
    `# ${fence}`,
    "  1  ",
  ]) {
    assert.equal(withoutFence(plain), plain);
  }
});
