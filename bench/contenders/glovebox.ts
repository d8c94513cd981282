import { setTimeout as sleep } from "node:timers/promises";
import type { CellResult, Glovebox, Session, SessionLimits } from "../../src/index.ts";
import { childrenNamed } from "../processes.ts";
import type { Task } from "../tasks.ts";
import { type Contender, once, type Pace, type Seat } from "./contender.ts";

/** Sessions of a Glovebox through its library, as a program uses it. Other limits than its own go past the pool. */
export function gloveboxContender(box: Glovebox, limits: Partial<SessionLimits> = {}): Contender {
  const open = async () => new GloveboxSeat(await box.session({ limits }));
  return {
    name: "glovebox",
    keepsState: true,
    async firstAnswer(task) {
      const begun = performance.now();
      const seat = await open();
      const answer = await seat.session.run(task.cell);
      const taken = performance.now() - begun;
      check(task, answer);
      await seat.close();
      return taken;
    },
    open,
    async crowd(count, task) {
      const seats = await Promise.all(Array.from({ length: count }, open));
      const begun = performance.now();
      const times = await Promise.all(
        seats.map(async ({ session }) => {
          const answer = await session.run(task.cell);
          const taken = performance.now() - begun;
          check(task, answer);
          return taken;
        }),
      );
      return { times, seats };
    },
    processes: () => childrenNamed("zygote.py"),
    close: () => box.close(),
  };
}

class GloveboxSeat implements Seat {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async run(task: Task, pace: Pace = once): Promise<number[]> {
    const times: number[] = [];
    for (let each = 0; each < pace.count; each++) {
      if (pace.pauseMs > 0) await sleep(pace.pauseMs);
      const begun = performance.now();
      const answer = await this.session.run(task.cell);
      times.push(performance.now() - begun);
      check(task, answer);
    }
    return times;
  }

  async die({ kept }: { kept: Task }): Promise<number> {
    const begun = performance.now();
    await this.session.run("import os; os._exit(1)");
    const answer = await this.session.run(kept.cell);
    const taken = performance.now() - begun;
    check(kept, answer);
    return taken;
  }

  close(): Promise<void> {
    return this.session.close();
  }
}

function check(task: Task, result: CellResult): void {
  const answer = textOf(result);
  if (answer.includes(task.expect) && answer.length >= (task.leastCharacters ?? 0)) return;
  throw new Error(`a wrong answer of ${answer.length} characters: ${answer.slice(-300)}`);
}

function textOf(result: CellResult): string {
  if (result.kind === "text") return result.text;
  if (result.kind === "error") return `${result.traceback} ${result.notice ?? ""}`;
  return result.kind === "dataframe" ? `${result.repr}\n${result.row_count} rows` : result.repr;
}
