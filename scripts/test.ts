// Runs the tests of both languages and closes with one line that counts what really ran.
import { glob } from "node:fs/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : await Array.fromAsync(glob("tests/**/*.test.ts"));
const counts = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];

const stream = run({ files: files.sort(), concurrency: 1, timeout: 600_000 });
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
stream.compose(spec).pipe(process.stdout);
stream.on("end", () => {
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
  setImmediate(() => {
    if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join("\n  ")}`);
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
  });
});
