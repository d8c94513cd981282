import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { FunctionCallItem } from "../../src/protocol/items.ts";
import { assertEveryCallAnsweredOnce } from "../support/agent.ts";
import { openTestBox } from "../support/box.ts";
import { conversationIn, isWritten, numbersIn, python } from "./asking.ts";

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const session = await (await openTestBox()).session();
await session.files.put("sales.csv", example("sales.csv"));
const READ = `import pandas as pd\nplain = pd.read_csv("/mnt/data/sales.csv", parse_dates=["date"])\n`;

async function assertNumbers(answer: string, code: string): Promise<void> {
  const expected = (await python(session, `${READ}[float(value) for value in ${code}]`)) as number[];
  const written = numbersIn(answer);
  assert.deepEqual(
    expected.filter((value) => !written.some((token) => isWritten(value, token))),
    [],
    answer,
  );
}

test("a question that leans on the one before is answered in its frame", async () => {
  const { ask, conversation } = conversationIn(session);
  await assertNumbers((await ask("Total sales by region")).answer, 'plain.groupby("region").total.sum()');
  await assertNumbers((await ask("and by month?")).answer, "plain.groupby(plain.date.dt.month).total.sum()");
  const south = 'plain[plain.region == "South"]';
  const inSouth = await ask("what about the South?");
  assert.match(inSouth.answer, /where `region` is South/);
  await assertNumbers(inSouth.answer, `${south}.groupby(plain.date.dt.month).total.sum()`);
  await assertNumbers(
    (await ask("now the median")).answer,
    `${south}.groupby(plain.date.dt.month).total.median()`,
  );
  await assertNumbers(
    (await ask("and of units?")).answer,
    `${south}.groupby(plain.date.dt.month).units.median()`,
  );

  const whole = await ask("How many rows are there?");
  assert.match(whole.answer, /\*\*200 rows\*\*\./);

  const calls = conversation.items.filter((item): item is FunctionCallItem => item.type === "function_call");
  const count = (name: string) => calls.filter((call) => call.name === name).length;
  assert.deepEqual([count("list_csv_files"), count("load_csv_handle")], [1, 1]);
  assertEveryCallAnsweredOnce(conversation.items);
});

test("a follow-up can turn a ranking round and narrow it", async () => {
  const { ask } = conversationIn(session);
  await ask("Which product has the highest total?");
  const lowest = await ask("and the lowest?");
  assert.match(lowest.answer, /lowest for \*\*Notebook\*\*/);
  const few = await ask("only in the West");
  assert.match(few.answer, /where `region` is West/);
  await assertNumbers(few.answer, 'plain[plain.region == "West"].groupby("product").total.sum()');
});

test("of several tables the one that the question speaks of is taken, and named", async () => {
  await session.files.put("traffic_accidents.csv", example("traffic_accidents.csv"));
  const { ask } = conversationIn(session);
  const first = await ask("Average accidents by urban area");
  assert.match(first.answer, /about the table `traffic_accidents`, one of 2/);
  const second = await ask("Total revenue in the North");
  assert.match(second.answer, /about the table `sales`, one of 2/);
  assert.match(second.answer, /16,521\.42/);
  const third = await ask("What is in the traffic accidents table?");
  assert.match(third.answer, /`traffic_accidents` has \*\*1,500 rows\*\*/);
});

test("a file that has changed is loaded again when the conversation is told of files", async () => {
  const { ask } = conversationIn(session);
  await session.files.put("stock.csv", Buffer.from("item,pieces\nbolt,3\nnut,4\n"));
  const before = await ask("What is the total of pieces in the stock table?");
  assert.match(before.answer, /\*\*7\*\*/);
  await session.files.put("stock.csv", Buffer.from("item,pieces\nbolt,30\nnut,40\n"));
  const after = await ask(
    "What is the total of pieces in the stock table?",
    "About the files: stock.csv is new.",
  );
  assert.match(after.answer, /\*\*70\*\*/);
});
