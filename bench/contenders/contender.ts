import type { ContenderName } from "../row.ts";
import type { Task } from "../tasks.ts";

/** Someone a user could pick. All times are in milliseconds and taken where the answer is read. */
export interface Contender {
  readonly name: ContenderName;
  /** False when every piece of code gets a new process. */
  readonly keepsState: boolean;
  /** From nothing to the first answer; the end of the session is not counted. */
  firstAnswer(task: Task): Promise<number>;
  open(): Promise<Seat>;
  /** Many sessions at once: for each, the time from the common start to its answer. They stay. */
  crowd(count: number, task: Task): Promise<Crowd>;
  /** The roots of the process trees that it has now. */
  processes(): Promise<number[]>;
  close(): Promise<void>;
}

export interface Crowd {
  readonly times: readonly number[];
  readonly seats: readonly Seat[];
}

export interface Pace {
  readonly count: number;
  readonly pauseMs: number;
}

/** One session of a contender. */
export interface Seat {
  run(task: Task, pace?: Pace): Promise<number[]>;
  /** From the death of its Python to the next answer: of what was kept, or else of what has to be made again. */
  die(next: { readonly kept: Task; readonly madeAgain: Task }): Promise<number>;
  close(): Promise<void>;
}

export const once: Pace = { count: 1, pauseMs: 0 };
