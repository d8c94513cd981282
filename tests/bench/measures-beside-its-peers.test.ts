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
      unit: z.enum(["ms", "s", "MiB", "/s", "MiB/s"]),
      values: z.record(z.string(), Measured),
      ratios: z.record(z.string(), z.number().positive()),
      remark: z.string().optional(),
    }),
  ),
});

async function quickRun(...groups: string[]): Promise<z.infer<typeof Report>> {
  const only = groups.flatMap((name) => ["--only", name]);
  const { stdout } = await run(process.execPath, [main, "--quick", "--json", ...only], { timeout: LIMIT_MS });
  return Report.parse(JSON.parse(stdout));
}

test("a quick run of the bench reports each row with Glovebox's value beside its peers'", {
  timeout: LIMIT_MS,
}, async () => {
  const { rows } = await quickRun("cells", "death");
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

test("a quick run of the server's group measures responses, clients, containers and large files", {
  timeout: LIMIT_MS,
}, async () => {
  const { rows } = await quickRun("server");
  const units = Object.fromEntries(rows.map(({ name, unit }) => [name, unit]));
  assert.deepEqual(units, {
    "response-blocking": "ms",
    "response-streaming": "ms",
    "cell-blocking": "ms",
    "cell-streaming": "ms",
    "first-event": "ms",
    "rate-1": "/s",
    "cell-rate-1": "/s",
    "rate-4": "/s",
    "cell-rate-4": "/s",
    containers: "s",
    upload: "MiB/s",
    download: "MiB/s",
  });
  for (const { name, values } of rows)
    assert.ok("median" in (values.glovebox ?? {}), `${name}: ${JSON.stringify(values.glovebox)}`);
  assert.equal(rows.find(({ name }) => name === "containers")?.remark, "yes: 6 of 6 answered");
});
