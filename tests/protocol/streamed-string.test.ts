import assert from "node:assert/strict";
import { test } from "node:test";
import { StreamedString } from "../../src/support/streamed-string.ts";

/** What is told of a property when its object comes in pieces of a given size. */
function told(json: string, size: number): string {
  const reader = new StreamedString("code");
  let out = "";
  for (let at = 0; at < json.length; at += size) out += reader.push(json.slice(at, at + size));
  return out;
}

test("a string property is read while its object is still being written, whatever the pieces", () => {
  const code = 'print("a\\tb")\n# 🙂 é \u0007 {"code": "no"}';
  const objects = [
    JSON.stringify({ code }),
    JSON.stringify({ intent: 'say "code": x', code }),
    JSON.stringify({ code, intent: "after" }),
    JSON.stringify({ nested: { code: "inner" }, list: ["code", "x"], code }, undefined, 2),
    `{"code":"${[...code].map((one) => [...one].flatMap((c) => Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`)).join("")).join("")}"}`,
  ];
  for (const json of objects) {
    for (const size of [1, 2, 3, 7, 1000])
      assert.equal(told(json, size), code, `${json} in pieces of ${size}`);
  }
});

test("what is not there, or is no JSON, gives nothing", () => {
  assert.equal(told('{"intent":"x"}', 3), "");
  assert.equal(told("not json at all", 3), "");
  assert.equal(told('{"code": 5}', 2), "");
  assert.equal(told('["code","x"]', 2), "");
});

test("half a character is not told before its other half", () => {
  const reader = new StreamedString("code");
  assert.equal(reader.push('{"code":"a\\ud83d'), "a");
  assert.equal(reader.push('\\ude42"}'), "🙂");
});
