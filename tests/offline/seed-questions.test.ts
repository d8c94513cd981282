import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openTestBox } from "../support/box.ts";
import { askOnce, isWritten, numbersIn, python, tableIn } from "./asking.ts";

const example = fileURLToPath(new URL("../../examples/traffic_accidents.csv", import.meta.url));
const session = await (await openTestBox()).session();
await session.files.put("traffic_accidents.csv", example);

const READ = `import pandas as pd
frame = pd.read_csv("/mnt/data/traffic_accidents.csv")`;

/** Every number of an answer is one that plain pandas computes, or a number of the method itself. */
function assertConfirmed(answer: string, facts: readonly number[], method: readonly number[]): void {
  const known = [...facts, ...method];
  const unknown = numbersIn(answer).filter(
    (written) =>
      !known.some((value) => isWritten(Math.abs(value), { ...written, value: Math.abs(written.value) })),
  );
  assert.deepEqual(unknown, [], answer);
}

test("which factors contribute the most is answered with a forest's importances and correlations", async () => {
  const { answer, cells, files } = await askOnce(
    session,
    "What factors contribute the most to accident frequency?",
  );
  const facts = (await python(
    session,
    `${READ}
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import cross_val_score
X, y = frame.drop(columns="accidents"), frame["accidents"]
forest = RandomForestRegressor(random_state=42).fit(X, y)
part = X.sample(len(X), random_state=42)
r2 = cross_val_score(RandomForestRegressor(n_estimators=30, random_state=42), part, y[part.index], cv=3).mean()
importance = dict(zip(X.columns, forest.feature_importances_))
{"importance": importance, "pearson": X.corrwith(y).to_dict(), "spearman": X.corrwith(y, method="spearman").to_dict(), "r2": float(r2)}`,
  )) as Record<"importance" | "pearson" | "spearman", Record<string, number>> & { r2: number };

  const rows = tableIn(answer);
  assert.deepEqual(
    rows.map(([name]) => name),
    Object.entries(facts.importance)
      .sort((a, b) => b[1] - a[1])
      .map(([name]) => name),
  );
  for (const [name = "", ...cellsOfRow] of rows) {
    const expected = [facts.importance[name], facts.pearson[name], facts.spearman[name]].map((value) =>
      value?.toFixed(3).replace("-", "−"),
    );
    assert.deepEqual(cellsOfRow, expected);
  }
  assert.match(answer, /^\*\*`traffic_fine_amount`\*\* goes with `accidents` the most/);
  assert.match(answer, /not what causes what/);
  const share = Object.values(facts.importance).map((value) => value * 100);
  assertConfirmed(
    answer,
    [
      ...Object.values(facts).flatMap((group) =>
        typeof group === "number" ? [group, group * 100] : Object.values(group),
      ),
      ...share,
    ],
    [],
  );
  assert.ok(cells.every(({ result }) => result.kind !== "error"));
  assert.ok(files.some(({ path }) => basename(path) === "accidents_factors.png"));
  assert.match(answer, /\(sandbox:\/mnt\/data\/accidents_factors\.png\)/);
});

test("how one column influences another is answered with correlation, slope and means by range", async () => {
  const { answer, files } = await askOnce(
    session,
    "How does traffic fine amount influence the number of accidents?",
  );
  const facts = (await python(
    session,
    `${READ}
import numpy as np
x, y = frame["traffic_fine_amount"], frame["accidents"]
ranges = pd.qcut(x, 5)
means = y.groupby(ranges, observed=True).agg(["mean", "count"])
edges = [float(edge) for part in means.index for edge in (max(part.left, x.min()), part.right)]
r = float(x.corr(y))
{"r": r, "all": [r, r * r * 100, float(x.corr(y, method="spearman")), float(np.polyfit(x, y, 1)[0]), len(frame), *edges, *means["mean"], *map(int, means["count"])]}`,
  )) as { r: number; all: number[] };
  assert.match(answer, new RegExp(`correlation is \\*\\*${facts.r.toFixed(3).replace("-", "−")}\\*\\*`));
  assert.match(answer, /goes with a \*\*lower\*\* `accidents`/);
  assertConfirmed(answer, facts.all, [0.001]);
  assert.ok(files.some(({ path }) => basename(path) === "accidents_vs_traffic_fine_amount.png"));
});

test("which areas are at the highest risk is answered by the area and by every other column", async () => {
  const { answer, files } = await askOnce(session, "Which areas are at the highest risk of accidents?");
  const facts = (await python(
    session,
    `${READ}
overall = frame["accidents"].mean()
parts = {"urban_area": frame["urban_area"]}
for name in frame.columns.drop(["accidents", "urban_area"]):
    parts[name] = pd.qcut(frame[name], 4, duplicates="drop")
numbers, rows = [], []
for name, part in parts.items():
    for label, group in frame.groupby(part, observed=True)["accidents"]:
        rows.append([name, float(group.mean()), len(group)])
        edges = [max(label.left, frame[name].min()), label.right] if hasattr(label, "left") else [label]
        numbers += [float(group.mean()), len(group), abs(float(group.mean() / overall - 1)) * 100, *map(float, edges)]
pairs = []
for a in parts:
    for b in parts:
        if a < b:
            means = frame.groupby([parts[a], parts[b]], observed=True)["accidents"].agg(["mean", "count"])
            pairs += [[float(m), int(n)] for m, n in means[means["count"] >= 30].to_numpy()]
rows.sort(key=lambda row: -row[1])
{"first": rows[0], "urban": {str(k): float(v) for k, v in frame.groupby("urban_area")["accidents"].mean().items()}, "all": [float(overall), len(frame), *numbers], "pairs": pairs}`,
  )) as {
    first: [string, number, number];
    urban: Record<string, number>;
    all: number[];
    pairs: [number, number][];
  };
  const urban = (facts.urban["1"] ?? 0) > (facts.urban["0"] ?? 0) ? "1 (urban)" : "0 (rural)";
  assert.ok(answer.startsWith(`By \`urban_area\`, **${urban}** has the highest mean \`accidents\``), answer);
  assert.equal(tableIn(answer)[0]?.[0], facts.first[0]);
  assertConfirmed(answer, [...facts.all, ...facts.pairs.flat()], [30]);
  assert.ok(files.some(({ path }) => basename(path) === "accidents_highest_segments.png"));
});
