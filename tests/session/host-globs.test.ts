import assert from "node:assert/strict";
import { matchesGlob } from "node:path";
import { test } from "node:test";
import { choosePaths } from "../../src/session/host-globs.ts";
import { inTime } from "../tools/in-time.ts";

test("Globs mean what they mean to Node", () => {
  const globs =
    "* *.csv **/*.csv ** a/** a/**/b **/a/** ?.csv [ab].csv [!a]* [.]env .* a* {a,b}.csv {a,{b,c}}.csv *.{csv,t[sS]v} a/*/c " +
    "@(a|b).csv !(a).csv ?(a)b.csv [a-c]/* a**b **b";
  const paths =
    "a b a.csv b.csv c.csv .csv .env a/b a/b.csv a/b/c a/c/b/a.csv a/.b/c .a/b.csv x.tSv ab aXb ab.csv a/a/b é.csv";
  for (const glob of globs.split(" ")) {
    const { selects } = choosePaths({ includeGlobs: [glob] });
    for (const path of paths.split(" "))
      assert.equal(selects(path), matchesGlob(path, glob), `${glob} on ${path}`);
  }
});

test("A question mark stands for a whole character", () => {
  assert.equal(choosePaths({ includeGlobs: ["?.csv"] }).selects("😀.csv"), true);
});

test("A name made to be hard to match costs no time", () => {
  const name = "_".repeat(250);
  const { selects } = choosePaths({
    includeGlobs: ["*_*_*_*_*_*.csv"],
    excludeGlobs: ["**/*_*_*_*_*_*.tmp"],
  });
  assert.equal(
    inTime(() => selects(name)),
    false,
  );
  assert.equal(
    inTime(() => selects(`${name}.csv`)),
    true,
  );
});

for (const glob of ["{a,b}".repeat(60), "{1..9999999}", "+(a|a)b", "*(+(a))b", "@(a)*a*a*a*a*b"]) {
  test(`The glob ${glob.slice(0, 20)} is refused before it can take hours`, () => {
    assert.throws(() => inTime(() => choosePaths({ includeGlobs: [glob] })), { code: "usage" });
  });
}
