import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { FunctionCallItem } from "../../src/protocol/items.ts";
import { inSession, openTestBox } from "../support/box.ts";
import { askOnce, conversationIn } from "./asking.ts";

const box = await openTestBox();
const sales = fileURLToPath(new URL("../../examples/sales.csv", import.meta.url));

test("a cell that fails is told in words, and not tried again", async () => {
  await inSession(box, async (session) => {
    await session.files.put("sales.csv", sales);
    const { ask } = conversationIn(session);
    await ask("How many rows?");
    await session.run('del sales["total"]');
    const { answer, cells, reason } = await ask("Total sales by region");
    assert.equal(reason, "answer");
    assert.match(answer, /^I could not work that out\. The session said: KeyError: /);
    assert.match(answer, /total/);
    assert.equal(cells.length, 1);
  });
});

test("a table whose variable is gone is loaded again", async () => {
  await inSession(box, async (session) => {
    await session.files.put("sales.csv", sales);
    const { ask, conversation } = conversationIn(session);
    await ask("How many rows?");
    await session.run("del sales");
    const { answer } = await ask("Total sales by region");
    assert.match(answer, /\*\*North\*\* \(16,521\.42\)/);
    const loads = conversation.items.filter(
      (item): item is FunctionCallItem => item.type === "function_call" && item.name === "load_csv_handle",
    );
    assert.equal(loads.length, 2);
  });
});

test("a file that cannot be read is named with the reason", async () => {
  await inSession(box, async (session) => {
    await session.files.put("broken.csv.gz", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]));
    const { answer, reason } = await askOnce(session, "What is in here?");
    assert.equal(reason, "answer");
    assert.match(answer, /^I could not read the table:\n\n- `broken`: \S/);
  });
});
