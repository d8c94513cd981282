import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../bench/main.ts", import.meta.url));
const LIMIT_MS = 300_000;

const Measured = z.union([
  z.object({
    median: z.number().positive(),
    p95: z.number().positive(),
    samples: z.number().int().positive(),
  }),
  z.object({ notMeasured: z.string().min(1) }),
]);
const Report = z.object({
  quick: z.literal(true),
  machine: z.object({ cpu: z.string(), cores: z.number(), memoryGiB: z.number(), kernel: z.string() }),
  versions: z.looseObject({ glovebox: z.string(), node: z.string(), python: z.string(), pandas: z.string() }),
  rows: z.array(
    z.object({
      name: z.string(),
      what: z.string(),
      unit: z.enum(["ms", "s", "MiB"]),
      values: z.record(z.string(), Measured),
      ratios: z.record(z.string(), z.number().positive()),
    }),
  ),
});

test("a quick run of the bench reports each row with Glovebox's value beside its peers'", {
  timeout: LIMIT_MS,
}, async () => {
  const only = ["cells", "death"].flatMap((name) => ["--only", name]);
  const { stdout } = await run(process.execPath, [main, "--quick", "--json", ...only], { timeout: LIMIT_MS });
  const { rows } = Report.parse(JSON.parse(stdout));
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["cell-apart", "cell-back-to-back", "death"],
  );
  for (const { name, values, ratios } of rows) {
    assert.ok("median" in (values.glovebox ?? {}), `${name}: ${JSON.stringify(values.glovebox)}`);
    for (const [peer, value] of Object.entries(values)) {
      if (peer !== "glovebox") assert.equal("median" in value, peer in ratios, `${name}, ${peer}`);
    }
  }
});
