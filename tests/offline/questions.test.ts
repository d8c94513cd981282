import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openTestBox } from "../support/box.ts";
import { askOnce, isWritten, numbersIn, python } from "./asking.ts";
import { CASES, type QuestionCase } from "./question-cases.ts";
import { READ_STAFF, staffTable } from "./staff-table.ts";

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}.csv`, import.meta.url));
const box = await openTestBox();
const sessions = {
  sales: await box.session(),
  staff: await box.session(),
  traffic_accidents: await box.session(),
};
const checker = await box.session();
for (const [name, session] of Object.entries(sessions)) {
  const source = name === "staff" ? Buffer.from(staffTable()) : example(name);
  await session.files.put(`${name}.csv`, source);
  await checker.files.put(`${name}.csv`, source);
}
const ready = await checker.run(`import pandas as pd
sales = pd.read_csv("sales.csv", parse_dates=["date"])
traffic = pd.read_csv("traffic_accidents.csv")
${READ_STAFF}`);
assert.notEqual(ready.kind, "error", JSON.stringify(ready));

for (const { table, question, intent, numbers, says } of CASES as readonly QuestionCase[]) {
  test(`of ${table}: ${question}`, async () => {
    const { answer, cells, reason } = await askOnce(sessions[table], question);
    assert.equal(reason, "answer");
    assert.match(cells.findLast((cell) => cell.intent !== undefined)?.intent ?? answer, intent);
    const expected = numbers
      ? ((await python(checker, `[float(value) for value in ${numbers}]`)) as number[])
      : [];
    const written = numbersIn(answer);
    assert.deepEqual(
      expected.filter((value) => !written.some((token) => isWritten(value, token))),
      [],
      answer,
    );
    if (says) assert.match(answer, says);
    assert.doesNotMatch(answer, /I did not (?:understand|use)/);
    assert.match(answer, /offline analyst: built-in rules, no language model/);
  });
}
