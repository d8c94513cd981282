// Runs every case in a session of its own, then asks what must hold after each of them:
// the next plain cell works, a witness session is untouched, nothing is left running, the host is untouched.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { CellResult, Glovebox, RunOptions, Session, SessionLimits } from "../../src/index.ts";
import type { HostileCase, Scene } from "./case.ts";
import { cases as allCases } from "./cases/index.ts";
import { type HostTargets, standTargets } from "./host-targets.ts";
import { descendants, Habitats } from "./left-running.ts";
import { brief } from "./oracles.ts";

const MiB = 1 << 20;
const PATIENCE_MS = 30_000;
const LIMITS: SessionLimits = {
  memoryBytes: 256 * MiB,
  workBytes: 32 * MiB,
  tmpBytes: 8 * MiB,
  processes: 32,
  timeoutMs: 20_000,
};
const PREPARE =
  "import os; kept = 42; open('/mnt/data/kept.txt', 'w').write('kept'); os.readlink('/proc/self/ns/pid')";
const AFTERWARDS =
  "import os; (globals().get('kept'), open('/mnt/data/kept.txt').read(), os.readlink('/proc/self/ns/pid'))";
const TESTIFY =
  "(oath, open('/mnt/data/oath.txt').read(), sorted(os.listdir('/mnt/data')), len(os.listdir('/tmp')))";

export interface HostileSuiteOptions {
  readonly cases?: readonly HostileCase[];
  /** Cases that these walls cannot hold, by title, each with the reason. */
  readonly cannotHold?: Readonly<Record<string, string>>;
}

export function hostileSuite(
  name: string,
  open: () => Promise<Glovebox>,
  { cases = allCases, cannotHold = {} }: HostileSuiteOptions = {},
): void {
  const unknown = Object.keys(cannotHold).filter((title) => !allCases.some((each) => each.title === title));
  assert.deepEqual(unknown, [], "these cases do not exist");
  describe(`hostile cells in ${name}`, () => {
    let box: Glovebox;
    let host: HostTargets;
    let witness: Session;
    let testimony: unknown;

    before(async () => {
      host = await standTargets();
      box = await open();
      witness = await box.session({ limits: LIMITS });
      await witness.run("import os; oath = 'truth'; open('/mnt/data/oath.txt', 'w').write(oath)");
      testimony = jsonOf(await witness.run(TESTIFY));
    });

    after(async () => {
      await settled(box.close(), "closing the box");
      await host.close();
      assert.deepEqual(await remaining(), [], "processes outlived the box");
    });

    for (const hostile of cases) {
      test(hostile.title, { skip: cannotHold[hostile.title] ?? hostile.skip ?? false }, async () => {
        const session = await box.session({ limits: { ...LIMITS, ...hostile.limits } });
        const results: CellResult[] = [];
        const habitats = new Habitats();
        const scene: Scene = {
          box,
          session,
          host,
          run: async (code, options) => {
            const result = await settled(session.run(code, withTimeout(hostile, options)), "a cell");
            results.push(result);
            return result;
          },
        };
        const failures: unknown[] = [];
        const check = (task: () => void | Promise<void>) => collect(failures, task);
        await check(async () => {
          await habitats.add(String(jsonOf(await settled(session.run(PREPARE), "the first cell"))));
          await attack(hostile, scene, host);
          hostile.expect?.(results);
        });
        await check(() => nextCellWorks(session, hostile, habitats, results));
        await check(() => settled(session.close(), "closing the session"));
        await check(async () =>
          assert.deepEqual(await habitats.leftRunning(), [], "processes of the session are left"),
        );
        await check(async () =>
          assert.deepEqual(jsonOf(await settled(witness.run(TESTIFY), "the witness")), testimony),
        );
        await check(() => host.untouched());
        await check(() =>
          assert.ok(!JSON.stringify(results).includes(host.secret), "a cell knows the host's secret"),
        );
        if (failures.length === 1) throw failures[0];
        if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join("\n"));
      });
    }
  });
}

async function attack(hostile: HostileCase, scene: Scene, host: HostTargets): Promise<void> {
  const cells = typeof hostile.cells === "function" ? hostile.cells(host) : (hostile.cells ?? []);
  for (const code of cells) await scene.run(code);
  await hostile.act?.(scene);
}

async function nextCellWorks(
  session: Session,
  hostile: HostileCase,
  habitats: Habitats,
  results: readonly CellResult[],
): Promise<void> {
  const plain = await settled(session.run("1+1"), "the next plain cell");
  const afterwards = await settled(session.run(AFTERWARDS), "the cell after");
  const [kept, file, namespace] = jsonOf(afterwards) as [unknown, unknown, string];
  await habitats.add(namespace);
  const { kind, stdout, stderr } = plain;
  assert.deepEqual(
    { kind, value: jsonOf(plain), stdout, stderr },
    { kind: "object", value: 2, stdout: undefined, stderr: undefined },
  );
  assert.equal(file, "kept");
  if (kept === 42) return;
  const said = [...results, plain].map((result) => result.notice ?? "").join(" ");
  assert.match(said, /lost|anew/, "the variables are lost and nothing says so");
  assert.equal(hostile.keeps, "files", `the variables are lost: ${said.slice(0, 500)}`);
}

function withTimeout(hostile: HostileCase, options: RunOptions = {}): RunOptions {
  return { ...(hostile.timeoutMs ? { timeoutMs: hostile.timeoutMs } : {}), ...options };
}

function jsonOf(result: CellResult): unknown {
  assert.ok(result.kind === "object", `expected a value, got ${brief(result)}`);
  return result.json;
}

async function collect(failures: unknown[], task: () => void | Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    failures.push(error);
  }
}

/** A session that hangs fails its case instead of the whole run. */
async function settled<T>(task: Promise<T>, what: string): Promise<T> {
  const given = new AbortController();
  const hung = pause(PATIENCE_MS, undefined, { signal: given.signal }).then(() => {
    throw new Error(`${what} did not come to an end`);
  });
  hung.catch(() => {});
  try {
    return await Promise.race([task, hung]);
  } finally {
    given.abort();
  }
}

async function remaining(): Promise<unknown[]> {
  for (let tries = 0; tries < 100 && (await descendants()).length > 0; tries++) await pause(20);
  return descendants();
}
