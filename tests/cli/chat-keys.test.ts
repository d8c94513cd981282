import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { complete } from "../../src/cli/chat/completion.ts";
import { type Key, KeyReader } from "../../src/cli/chat/keys.ts";
import { ReverseSearch } from "../../src/cli/chat/reverse-search.ts";
import { temporaryFolder } from "./glovebox.ts";

const typed = "ab\x1b[A\x12x\x1b\r\x1b[200~one\rtwo\x03 \x1b[31m\x1b[201~c\x1b[?62;4c\x03\x04\x1a";
const keys: Key[] = [
  { type: "text", text: "ab\x1b[A" },
  { type: "search" },
  { type: "text", text: "x" },
  { type: "newline" },
  { type: "paste", text: "one\rtwo\x03 \x1b[31m" },
  { type: "text", text: "c" },
  { type: "interrupt" },
  { type: "end" },
  { type: "suspend" },
];

test("keys are told apart; what is pasted is text, whatever is in it", () => {
  assert.deepEqual(new KeyReader().read(typed), keys);
});

test("a paste is the same wherever its markers are cut", () => {
  const paste = "a\x1b[200~one\ntwo\x1b[201~b";
  // A lone escape is a key, so a marker is not cut after its first or second byte.
  for (let cut = 0; cut <= paste.length; cut++) {
    if (["\x1b", "\x1b["].some((start) => paste.slice(0, cut).endsWith(start))) continue;
    const reader = new KeyReader();
    const all = [...reader.read(paste.slice(0, cut)), ...reader.read(paste.slice(cut))];
    assert.deepEqual(
      all.filter((key) => key.type === "paste"),
      [{ type: "paste", text: "one\ntwo" }],
      `cut at ${cut}`,
    );
  }
});

test("a search goes back through what was asked, ignoring case, and on to older ones", () => {
  const search = new ReverseSearch(["Sales by month", "costs", "sales by year", "sales by year", "x"]);
  assert.equal(search.match, undefined);
  search.type("SAL");
  assert.equal(search.match, "sales by year");
  search.older();
  assert.equal(search.match, "Sales by month");
  search.older();
  assert.equal(search.match, "Sales by month");
  search.erase();
  search.erase();
  assert.equal(search.match, "sales by year");
  search.type("zzz");
  assert.equal(search.match, undefined);
});

test("commands are completed at the start, files of the session and of the folder after it", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "data"));
  await writeFile(join(folder, "data", "old.csv"), "");
  await writeFile(join(folder, "sales_local.csv"), "");
  await writeFile(join(folder, "sales\x1b[2J.csv"), "");
  const sources = { commands: ["/save", "/vars"], sessionFiles: () => ["sales.csv", "figure.png"], folder };
  assert.deepEqual(complete("/s", sources), [["/save "], "/s"]);
  assert.deepEqual(complete("What is in sal", sources), [["sales.csv", "sales_local.csv"], "sal"]);
  assert.deepEqual(complete("/save da", sources), [["data/"], "da"]);
  assert.deepEqual(complete("/save data/o", sources), [["data/old.csv"], "data/o"]);
  assert.deepEqual(complete("What ", sources), [[], ""]);
});
