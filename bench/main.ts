import { groups } from "./groups/all.ts";
import { describeMachine } from "./machine.ts";
import { readOptions, usage } from "./options.ts";
import { fullPlan, quickPlan } from "./plan.ts";
import { toJson, toTable } from "./report.ts";
import type { Row } from "./row.ts";
import { prepare } from "./setup.ts";

// read the options → prepare the contenders → group after group → end them all → report
async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void process.stdout.write(usage);
  const begun = performance.now();
  const machine = describeMachine();
  const plan = options.quick ? quickPlan : fullPlan;
  const elapsedS = () => (performance.now() - begun) / 1000;
  let group = "bench";
  const progress = (words: string) =>
    process.stderr.write(`${elapsedS().toFixed(1)} s  ${group}: ${words}\n`);
  const { bench, versions, close } = await prepare(plan, progress);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void close().finally(() => process.exit(1)));
  }
  const rows: Row[] = [];
  try {
    for (const [name, measure] of Object.entries(groups)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      group = name;
      rows.push(...(await measure(bench)));
    }
  } finally {
    await close();
  }
  const seconds = elapsedS();
  const report = { quick: plan.quick, machine, versions, rows, seconds };
  process.stdout.write(options.json ? `${toJson(report)}\n` : toTable(report));
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exitCode = 1;
});
