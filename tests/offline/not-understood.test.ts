import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inSession, openTestBox } from "../support/box.ts";
import { askOnce } from "./asking.ts";

const box = await openTestBox();
const session = await box.session();
await session.files.put("sales.csv", fileURLToPath(new URL("../../examples/sales.csv", import.meta.url)));

const CASES: readonly (readonly [string, RegExp])[] = [
  ["average salary by region", /no column for “salary”/],
  ["total by colour", /no column for “colour”/],
  ["total sales in Atlantis", /no value and no column for “atlantis”/],
  ["How many orders over 500?", /“500”/],
  ["forecast the total for next month", /more than I can do/],
  ["should we raise prices?", /more than I can do/],
  ["write me a poem", /more than I can do/],
  ["flurb the gnarp", /nothing for “flurb” and “gnarp”/],
  ["Which region grew the most?", /“grew”/],
  ["Which product had the highest growth in total?", /“growth”/],
  ["Which region has the second highest total?", /“second”/],
  ["2nd largest total by product", /“2nd”/],
  ["total on weekends", /“weekends”/],
  ["average total on weekdays", /“weekdays”/],
  ["cumulative total by month", /“cumulative”/],
  ["running total of units by month", /“running”/],
  ["ratio of units to total by region", /“ratio”/],
  ["total not by region", /“not”/],
  ["total last month", /“last”/],
  ["total in Q2 vs Q3", /“Q2” and “Q3” are more than one/],
  ["total in March 2024 and in June 2024", /did not understand.*“March 2024” and “June 2024”/],
  ["total from November to February", /did not understand.*ends before it begins/],
  ["average of the first 5 rows", /did not understand/],
  ["Are bigger baskets cheaper for loyal folks?", /did not understand/],
];

for (const [question, why] of CASES) {
  test(`not understood: ${question}`, async () => {
    const { answer, cells, files } = await askOnce(session, question);
    assert.match(answer, why);
    assert.match(answer, /`region`, `product`, `units`/);
    assert.match(answer, /- Average total by region/);
    assert.match(answer, /`--model openai\/…` or set `GLOVEBOX_MODEL`/);
    assert.ok(cells.every(({ result }) => result.images === undefined && result.kind !== "error"));
    assert.deepEqual(files, []);
  });
}

test("a month without a year is not guessed where the data has several", async () => {
  await inSession(box, async (other) => {
    const rows = Array.from(
      { length: 40 },
      (_, index) => `${2022 + (index % 3)}-0${1 + (index % 9)}-11,${index}`,
    );
    await other.files.put("visits.csv", Buffer.from(`day,visitors\n${rows.join("\n")}\n`));
    const { answer } = await askOnce(other, "total visitors before June");
    assert.match(answer, /did not understand.*“June” does not say which year/);
  });
});

test("an average without a column of numbers is no count of rows", async () => {
  await inSession(box, async (other) => {
    const rows = Array.from({ length: 40 }, (_, index) => `${"abcd"[index % 4]}x,${"efg"[index % 3]}y`);
    await other.files.put("pairs.csv", Buffer.from(`left,right\n${rows.join("\n")}\n`));
    const { answer } = await askOnce(other, "average by left");
    assert.match(answer, /did not understand.*to take the average of/);
  });
});

test("identifiers are never averaged", async () => {
  await inSession(box, async (other) => {
    const rows = Array.from({ length: 40 }, (_, index) => `${5000 + index * 3},${index % 4}`);
    await other.files.put("orders.csv", Buffer.from(`order_id,size\n${rows.join("\n")}\n`));
    const { answer } = await askOnce(other, "What is the average order id?");
    assert.match(answer, /`order_id` holds identifiers/);
  });
});

test("a greeting is answered without a tool", async () => {
  const { answer, cells } = await askOnce(session, "Hello, what can you do?");
  assert.match(answer, /I am the offline analyst/);
  assert.deepEqual(cells, []);
});

test("without a table it says how to give one", async () => {
  await inSession(box, async (empty) => {
    const { answer, cells } = await askOnce(empty, "What is in here?");
    assert.match(answer, /glovebox ask data\.csv/);
    assert.deepEqual(cells, []);
  });
});
