import assert from "node:assert/strict";
import { test } from "node:test";
import { SqliteDefinedTools } from "../../src/store/defined-tools.ts";
import { temporaryDatabase } from "./home.ts";

const double = {
  name: "double_it",
  description: "Doubles.",
  parameters: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  code: "def double_it(x):\n    return 2 * x\n",
};

test("A definition comes back as it was saved, and a new one of its name takes its place", async (t) => {
  const { database } = await temporaryDatabase(t);
  const tools = new SqliteDefinedTools(database);
  assert.deepEqual(await tools.save(double), { replaced: false });
  await tools.save({ ...double, name: "a_tool" });
  assert.deepEqual(await tools.save({ ...double, description: "Doubles a number." }), { replaced: true });
  assert.deepEqual(await tools.list(), [
    { ...double, name: "a_tool" },
    { ...double, description: "Doubles a number." },
  ]);
});

test("A removed tool is gone", async (t) => {
  const { database } = await temporaryDatabase(t);
  const tools = new SqliteDefinedTools(database);
  await tools.save(double);
  assert.equal(await tools.remove("double_it"), true);
  assert.equal(await tools.remove("double_it"), false);
  assert.deepEqual(await tools.list(), []);
});
