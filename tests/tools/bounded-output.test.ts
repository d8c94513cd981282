import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOutput, cutText } from "../../src/tools/bound-output.ts";

const read = (text: string) => JSON.parse(text) as Record<string, unknown>;

test("what fits is told whole, as a JSON object", () => {
  assert.deepEqual(boundOutput({ kind: "object", json: [1, null, "é"] }), {
    text: '{"kind":"object","json":[1,null,"é"]}',
    cut: false,
  });
  assert.deepEqual(read(boundOutput("plain words").text), { kind: "text", text: "plain words" });
});

test("what does not fit is cut in the middle, stays JSON and says what is missing", () => {
  const rows = Array.from({ length: 5000 }, (_, row) => [row, `name ${row}`]);
  const { text, cut } = boundOutput(
    { kind: "dataframe", head: rows, repr: "r".repeat(50_000) },
    { bytes: 4000 },
  );
  assert.equal(cut, true);
  assert.ok(Buffer.byteLength(text) <= 4000);
  const told = read(text);
  assert.equal(told.kind, "dataframe");
  const head = told.head as unknown[];
  assert.deepEqual(head[0], [0, "name 0"]);
  assert.deepEqual(head.at(-1), [4999, "name 4999"]);
  assert.match(String(head[Math.ceil((head.length - 1) / 2)]), /of 5,000 left out/);
  assert.match(String(told.cut), /bytes were cut to 4,000\. To see the rest/);
});

test("any shape is brought under the limit", () => {
  const shapes: Record<string, unknown>[] = [
    { text: "🙂".repeat(20_000) },
    { quotes: '"\\\n'.repeat(20_000) },
    {
      deep: Array.from({ length: 40 }).reduce<unknown>(
        (inner) => [inner, inner === 0 ? 0 : "x".repeat(500)],
        0,
      ),
    },
    Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`key number ${n}`, n])),
    { ["k".repeat(30_000)]: 1 },
    { lists: Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 1.5)) },
    { control: "\u0000".repeat(20_000) },
  ];
  for (const shape of shapes) {
    for (const bytes of [512, 8192]) {
      const { text, cut } = boundOutput({ kind: "object", ...shape }, { bytes });
      assert.ok(
        Buffer.byteLength(text) <= bytes,
        `${Object.keys(shape)[0]?.slice(0, 10)}: ${Buffer.byteLength(text)}`,
      );
      assert.equal(cut, true);
      assert.equal(read(text).kind, "object");
    }
  }
});

test("a value of a tool of one's own never breaks the output", () => {
  const circle: Record<string, unknown> = {
    name: "circle",
    big: 2n ** 70n,
    nothing: Number.NaN,
    half: "\ud83d",
  };
  circle.self = circle;
  assert.deepEqual(read(boundOutput(circle).text), {
    name: "circle",
    big: "1180591620717411303424",
    nothing: "NaN",
    half: "\ufffd",
    self: "[circular]",
  });
  const throwing = { toJSON: () => assert.fail("no") };
  assert.equal(read(boundOutput({ throwing }).text).kind, "object");
  const shared = { a: 1 };
  assert.deepEqual(read(boundOutput({ left: shared, right: shared }).text), {
    left: { a: 1 },
    right: { a: 1 },
  });
});

test("text is cut between whole characters", () => {
  for (let most = 1; most < 12; most += 1) assert.ok(cutText("🙂".repeat(20), most).isWellFormed());
  assert.equal(cutText("short", 10), "short");
});
