import { setTimeout as after } from "node:timers/promises";
import { GloveboxError } from "../errors.ts";
import { ModelFailure } from "./model-failure.ts";

/** Time as retries need it, so that a test need not wait. */
export interface RetryClock {
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export interface RetryOptions {
  /** Tries after the first. */
  readonly retries: number;
  readonly signal: AbortSignal;
  readonly clock?: RetryClock;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A provider that asks for more patience than this is told of instead. */
const MOST_ASKED_WAIT_MS = 60_000;

const wallClock: RetryClock = {
  sleep: (ms, signal) => after(ms, undefined, { signal }),
  random: Math.random,
};

/** Tries again what fails in passing, as long as nothing of it was passed on. */
export async function* withRetries<Event>(
  attempt: () => AsyncIterable<Event>,
  { retries, signal, clock = wallClock }: RetryOptions,
): AsyncGenerator<Event> {
  for (let tries = 1; ; tries++) {
    let passedOn = false;
    try {
      for await (const event of attempt()) {
        passedOn = true;
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      const wait = waitBefore(tries, error, clock);
      if (passedOn || tries > retries || wait === undefined) throw error.toError(tries);
      await clock.sleep(wait, signal).catch(() => {});
      if (signal.aborted) throw abortedError();
    }
  }
}

export function abortedError(): GloveboxError {
  return new GloveboxError("aborted", "The model was interrupted before its answer was complete.");
}

function waitBefore(tries: number, failure: ModelFailure, clock: RetryClock): number | undefined {
  if (!failure.passing) return undefined;
  const asked = failure.retryAfterMs;
  if (asked !== undefined) return asked <= MOST_ASKED_WAIT_MS ? asked : undefined;
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  return Math.round(longest * (0.75 + clock.random() / 4));
}
