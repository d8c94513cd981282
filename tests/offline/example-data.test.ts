import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inSession, openTestBox } from "../support/box.ts";
import { python } from "./asking.ts";

const at = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

test("the example's script writes the committed table again, byte for byte", async () => {
  const box = await openTestBox();
  await inSession(box, async (session) => {
    await session.files.put("make_traffic_accidents.py", at("make_traffic_accidents.py"));
    const made = await session.run(
      'import runpy, sys\nsys.argv = ["x"]\nrunpy.run_path("make_traffic_accidents.py", run_name="__main__");',
    );
    assert.notEqual(made.kind, "error", JSON.stringify(made));
    assert.deepEqual(
      await session.files.get("traffic_accidents.csv"),
      await readFile(at("traffic_accidents.csv")),
    );
  });
});

test("the example's values lie in the ranges that it describes", async () => {
  const box = await openTestBox();
  await inSession(box, async (session) => {
    await session.files.put("traffic_accidents.csv", at("traffic_accidents.csv"));
    const outside = await python(
      session,
      `import pandas as pd
frame = pd.read_csv("traffic_accidents.csv")
ranges = {"accidents": (1, 100), "traffic_fine_amount": (0, 10), "traffic_density": (0, 10), "traffic_lights": (0, 1), "pavement_quality": (0, 5),
          "urban_area": (0, 1), "average_speed": (0, 200), "rain_intensity": (0, 3), "vehicle_count": (1, 1000), "time_of_day": (0, 24)}
{"columns": list(frame.columns) == list(ranges), "rows": len(frame), "missing": int(frame.isna().sum().sum()),
 "outside": [name for name, (low, high) in ranges.items() if not frame[name].between(low, high).all()],
 "whole": bool((frame[["accidents", "urban_area", "vehicle_count"]].dtypes == "int64").all())}`,
    );
    assert.deepEqual(outside, { columns: true, rows: 1500, missing: 0, outside: [], whole: true });
  });
});
