import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestBox } from "../support/box.ts";
import { type Output, openTables } from "./tables-bench.ts";

const box = await openTestBox();

type Listed = { name: string; path: string; bytes: number; modified: string; columns?: string[] };
const files = (output: Output) => (output.json as { files: Listed[] }).files;

test("Tables are listed with short names, and what is no table is not", async (t) => {
  const { put, call } = await openTables(t, box);
  await put({
    "sales_2024.csv": "a,b\n1,2\n",
    "Umsätze 2024.tsv": "a\tb\n",
    "deep/er/log.jsonl.gz": "x",
    "model.parquet": "x",
    "book.XLSX": "x",
    "all.zip": "x",
    "notes.md": "x",
    "plot.png": "x",
    ".hidden.csv": "x",
  });
  const listed = files(await call("list_csv_files", {}));
  assert.deepEqual(
    listed.map(({ name, path, bytes }) => [name, path, bytes]),
    [
      ["Umsätze_2024", "Umsätze 2024.tsv", 4],
      ["all", "all.zip", 1],
      ["book", "book.XLSX", 1],
      ["log", "deep/er/log.jsonl.gz", 1],
      ["model", "model.parquet", 1],
      ["sales_2024", "sales_2024.csv", 8],
    ],
  );
  for (const { modified } of listed) assert.equal(new Date(modified).toISOString(), modified);
});

test("Tables of the same name are told apart by ending, folder or number", async (t) => {
  const { put, call } = await openTables(t, box);
  const paths = ["sales.csv", "sales.xlsx", "2023/costs.csv", "2024/costs.csv", "[x].csv", "x.csv"];
  await put(Object.fromEntries(paths.map((path) => [path, "x"])));
  const names = new Map(files(await call("list_csv_files", {})).map(({ name, path }) => [path, name]));
  assert.deepEqual(
    paths.map((path) => names.get(path)),
    ["sales_csv", "sales_xlsx", "2023_costs", "2024_costs", "x_1", "x_2"],
  );
});

test("Columns are listed once a table was loaded, and no longer when it has changed", async (t) => {
  const { put, call, load, session } = await openTables(t, box);
  await put({ "a.csv": "x,y\n1,2\n" });
  const columns = async () => files(await call("list_csv_files", {}))[0]?.columns;
  assert.equal(await columns(), undefined);
  await load("a", { columns: ["y"] });
  assert.deepEqual(await columns(), ["x", "y"]);
  await session.run("open('a.csv', 'w').write('p,q\\n1,2,3\\n')");
  assert.equal(await columns(), undefined);
});

test("Of very many tables only so many are listed, and the list says so", async (t) => {
  const { session, call } = await openTables(t, box);
  await session.run("for n in range(1500): open(f't{n:04}.csv', 'w').close()");
  const output = await call("list_csv_files", {});
  assert.equal(files(output).length, 200);
  assert.equal(
    output.notice,
    '1300 more tables are not listed; find them with python_repl: os.walk("/mnt/data")',
  );
});
