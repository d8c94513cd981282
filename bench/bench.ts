import type { SessionLimits } from "../src/index.ts";
import type { Contender, Seat } from "./contenders/contender.ts";
import { type Entry, interleave } from "./interleave.ts";
import type { Plan } from "./plan.ts";
import type { ContenderName, Measured, Row } from "./row.ts";
import type { Task } from "./tasks.ts";

/** What a group of rows gets to measure with. */
export interface Bench {
  readonly plan: Plan;
  readonly glovebox: Contender;
  readonly peers: readonly Contender[];
  /** Other ways to ask a peer for a cell; for all else it is the same peer. */
  readonly variants: readonly Contender[];
  /** Why a peer is not here. */
  readonly absent: Partial<Record<ContenderName, string>>;
  /** Glovebox's sessions with other limits than those that its pool holds. */
  gloveboxWith(limits: Partial<SessionLimits>): Contender;
  /** A second Glovebox from nothing until it could take a session. */
  openAnother(): Promise<number>;
  progress(words: string): void;
}

export type Group = (bench: Bench) => Promise<Row[]>;

/** Rounds over some contenders; those that are not on this machine say why. */
export async function compare<Name extends string = ContenderName>(
  bench: Bench,
  rounds: number,
  entries: readonly Entry<Name>[],
): Promise<Partial<Record<Name | ContenderName, Measured>>> {
  const { limitMs, settleMs } = bench.plan;
  const values = await interleave(entries, {
    rounds,
    limitMs,
    settleMs,
    onTurn: (words) => bench.progress(words),
  });
  const absent = Object.entries(bench.absent).map(([name, reason]) => [name, { notMeasured: reason }]);
  return { ...Object.fromEntries(absent), ...values };
}

/** A session of each contender with its state made; who fails here says so in every row. They end with `measure`. */
export async function seated<T>(
  contenders: readonly Contender[],
  setup: (contender: Contender) => Task | undefined,
  measure: (seats: readonly Seated[]) => Promise<T>,
): Promise<T> {
  const seats: Seated[] = [];
  try {
    for (const contender of contenders) {
      const seat = await contender.open().catch(broken);
      seats.push({ contender, name: contender.name, seat });
      const task = setup(contender);
      if (task) await seat.run(task).catch(() => {});
    }
    return await measure(seats);
  } finally {
    for (const { seat } of seats) await seat.close().catch(() => {});
  }
}

function broken(error: Error): Seat {
  const fail = () => Promise.reject(error);
  return { run: fail, die: fail, close: async () => {} };
}

export interface Seated {
  readonly contender: Contender;
  readonly name: ContenderName;
  readonly seat: Seat;
}
