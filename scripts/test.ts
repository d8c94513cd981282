// Runs the tests of both languages and closes with one line that counts what really ran.
import { glob } from "node:fs/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/** These fill the machine, or look at all of it: one at a time. The others mostly wait, so several run at once. */
const ALONE = /^tests\/(?:bench|contract|docker|environment|hostile)\//;
const BESIDE_EACH_OTHER = 3;

const wanted = process.argv.slice(2);
const files = (wanted.length > 0 ? wanted : await Array.fromAsync(glob("tests/**/*.test.ts"))).sort();
const counts = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];

await runFiles(
  files.filter((file) => !ALONE.test(file)),
  BESIDE_EACH_OTHER,
);
await runFiles(
  files.filter((file) => ALONE.test(file)),
  1,
);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join("\n  ")}`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);

async function runFiles(chosen: string[], concurrency: number): Promise<void> {
  if (chosen.length === 0) return;
  const stream = run({ files: chosen, concurrency, timeout: 600_000 });
  stream.on("test:pass", (event) => {
    if (event.details.type === "suite" || event.name.endsWith(".test.ts")) return;
    if (event.skip) counts.skipped++;
    else counts.passed++;
  });
  stream.on("test:fail", (event) => {
    if (event.details.type === "suite" && counts.failed > 0) return;
    counts.failed++;
    failures.push(`${event.file ?? ""}: ${event.name}`);
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text as string);
}
