import { setTimeout as sleep } from "node:timers/promises";
import { NotMeasured } from "./not-measured.ts";
import type { Measured } from "./row.ts";
import { summarize } from "./statistics.ts";

export interface Entry<Name extends string> {
  readonly name: Name;
  /** One round's worth of samples. */
  sample(): Promise<readonly number[]>;
  readonly note?: string | undefined;
}

export interface Rounds {
  readonly rounds: number;
  readonly limitMs: number;
  readonly settleMs: number;
  /** Called for each sample, for the progress line. */
  readonly onTurn?: (words: string) => void;
}

/** A B C A B C …, so that the machine's noise hits all alike. Who fails or is too slow leaves the rounds. */
export async function interleave<Name extends string>(
  entries: readonly Entry<Name>[],
  options: Rounds,
): Promise<Partial<Record<Name, Measured>>> {
  const samples = new Map<Name, number[]>(entries.map(({ name }) => [name, []]));
  const failures = new Map<Name, string>();
  for (let round = 1; round <= options.rounds; round++) {
    for (const { name, sample } of entries) {
      if (failures.has(name)) continue;
      options.onTurn?.(`${name}, round ${round} of ${options.rounds}`);
      try {
        samples.get(name)?.push(...(await within(options.limitMs, sample())));
      } catch (error) {
        failures.set(name, error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
      }
      await sleep(options.settleMs);
    }
  }
  const measured = entries.map(({ name, note }) => [
    name,
    outcome(samples.get(name), failures.get(name), note),
  ]);
  return Object.fromEntries(measured);
}

function outcome(
  samples: readonly number[] | undefined,
  failure: string | undefined,
  note: string | undefined,
): Measured {
  if (failure !== undefined) return { notMeasured: failure };
  return { ...summarize(samples ?? []), ...(note ? { note } : {}) };
}

export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new NotMeasured(`over ${Math.round(limitMs / 1000)} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    work.catch(() => {});
    timer.abort();
  }
}
