import assert from "node:assert/strict";
import { test } from "node:test";
import { inSession, openTestBox } from "../support/box.ts";
import { askOnce } from "./asking.ts";

const box = await openTestBox();

const lines = (header: string, count: number, row: (index: number) => string) =>
  `${[header, ...Array.from({ length: count }, (_, index) => row(index))].join("\n")}\n`;

const TABLES: Readonly<Record<string, string>> = {
  "one row": "a,b,c\n1,x,2024-01-01\n",
  "one column": lines("value", 40, (index) => String((index * index) % 17)),
  "a column without values": lines("a,b,c", 30, (index) => `${index % 7},,x${index % 3}`),
  "a constant": lines("a,b", 30, (index) => `${index % 7},same`),
  "names in other alphabets": lines(
    "Größe,Umsatz,城市,Дата",
    60,
    (index) => `${index % 5},${index * 3.5},${index % 2 ? "北京" : "上海"},2024-0${1 + (index % 9)}-15`,
  ),
  "three hundred columns": lines(
    Array.from({ length: 300 }, (_, column) => `measure_${column}`).join(","),
    20,
    (index) => Array.from({ length: 300 }, (_, column) => (index * column) % 13).join(","),
  ),
};

const QUESTIONS = [
  "What is in here?",
  "Which columns are correlated?",
  "any outliers?",
  "missing values?",
  "duplicates?",
  "How many rows?",
];

for (const [name, csv] of Object.entries(TABLES)) {
  test(`a table with ${name} is met without a failure`, async () => {
    await inSession(box, async (session) => {
      await session.files.put("table.csv", Buffer.from(csv));
      for (const question of QUESTIONS) {
        const { answer, cells } = await askOnce(session, question);
        assert.deepEqual(
          cells.filter(({ result }) => result.kind === "error").map(({ result }) => result),
          [],
        );
        assert.doesNotMatch(answer, /I could not|I did not understand/);
      }
    });
  });
}

test("a column far to the right of a wide table is found by its name", async () => {
  await inSession(box, async (session) => {
    await session.files.put("wide.csv", Buffer.from(`${TABLES["three hundred columns"]}`));
    const { answer } = await askOnce(session, "What is the maximum of measure 287?");
    assert.match(answer, /maximum `measure_287` is \*\*12\*\*/);
    assert.match(answer, /has 300 columns; I looked at \d+ of them/);
  });
});

test("of a long table the forest sees a sample, and the answer says so", async () => {
  await inSession(box, async (session) => {
    const csv = lines(
      "x,noise,y",
      12_000,
      (index) => `${(index * 37) % 101},${(index * 53) % 97},${((index * 37) % 101) * 2 + (index % 5)}`,
    );
    await session.files.put("long.csv", Buffer.from(csv));
    const { answer } = await askOnce(session, "What drives y?");
    assert.match(answer, /^\*\*`x`\*\* goes with `y` the most/);
    assert.match(answer, /random sample of 10,000 of 12,000 rows/);
  });
});

test("a table without rows is called empty", async () => {
  await inSession(box, async (session) => {
    await session.files.put("table.csv", Buffer.from("a,b,c\n"));
    const { answer } = await askOnce(session, "What is in here?");
    assert.match(answer, /`table` has \*\*0 rows\*\* and \*\*3 columns\*\*/);
  });
});

test("of a wide table it speaks only of the columns that it looked at", async () => {
  await inSession(box, async (session) => {
    await session.files.put("wide.csv", Buffer.from(`${TABLES["three hundred columns"]}`));
    const { answer } = await askOnce(session, "What is in here?");
    assert.match(answer, /No values are missing in the \d+ columns that I looked at\./);
  });
});

test("a column with an apostrophe is found", async () => {
  await inSession(box, async (session) => {
    const csv = lines("it's,driver's age", 30, (index) => `${index % 7},${20 + (index % 11)}`);
    await session.files.put("table.csv", Buffer.from(csv));
    assert.match((await askOnce(session, "What is the maximum of it's?")).answer, /`it's` is \*\*6\*\*/);
    assert.match((await askOnce(session, "maximum driver's age")).answer, /`driver's age` is \*\*30\*\*/);
  });
});

test("a total that was asked for is not called a guess", async () => {
  await inSession(box, async (session) => {
    const csv = lines("total,region", 30, (index) => `${(index * 7) % 13},${index % 2 ? "North" : "South"}`);
    await session.files.put("table.csv", Buffer.from(csv));
    const { answer } = await askOnce(session, "total by region");
    assert.match(answer, /sum of `total` is highest for/);
    assert.doesNotMatch(answer, /You did not say/);
  });
});
