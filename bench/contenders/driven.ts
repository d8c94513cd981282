import { z } from "zod";
import type { ContenderName } from "../row.ts";
import { type Contender, once, type Seat } from "./contender.ts";
import type { Driver } from "./driver.ts";

const Crowd = z.object({ times: z.array(z.number()), sessions: z.array(z.number()) });
const Times = z.array(z.number());

/** A peer behind its driver, which takes the times. */
export function drivenContender(
  name: ContenderName,
  driver: Driver,
  keepsState: boolean,
  runOperation = "run",
): Contender {
  const seat = (session: number): Seat => ({
    run: (task, { count, pauseMs } = once) =>
      driver.ask(Times, { operation: runOperation, session, task, count, pause_ms: pauseMs }),
    die: ({ madeAgain }) => driver.ask(z.number(), { operation: "die", session, task: madeAgain }),
    close: async () => {
      await driver.ask(z.null(), { operation: "stop", session });
    },
  });
  return {
    name,
    keepsState,
    firstAnswer: (task) => driver.ask(z.number(), { operation: "first", task }),
    open: async () => seat(await driver.ask(z.number(), { operation: "start" })),
    async crowd(count, task) {
      const { times, sessions } = await driver.ask(Crowd, { operation: "crowd", count, task });
      return { times, seats: sessions.map(seat) };
    },
    processes: () => driver.ask(z.array(z.number()), { operation: "processes" }),
    close: () => driver.close(),
  };
}
