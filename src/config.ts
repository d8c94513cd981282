import { homedir } from "node:os";
import { join } from "node:path";
import { GloveboxError } from "./errors.ts";

/** Where environments and sessions live: GLOVEBOX_HOME, or a folder of ours in the user's cache. */
export function gloveboxHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.GLOVEBOX_HOME) return env.GLOVEBOX_HOME;
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "glovebox");
}

export interface SessionLimits {
  readonly memoryBytes: number;
  /** Size of /mnt/data. */
  readonly workBytes: number;
  /** Size of /tmp. */
  readonly tmpBytes: number;
  readonly processes: number;
  /** Wall time of one cell. */
  readonly timeoutMs: number;
}

const MiB = 1 << 20;
const GiB = 1 << 30;

export const defaultLimits: SessionLimits = {
  memoryBytes: GiB,
  workBytes: 512 * MiB,
  tmpBytes: 64 * MiB,
  processes: 64,
  timeoutMs: 60_000,
};

const UNITS: Record<string, number> = { "": 1, k: 1024, m: MiB, g: GiB, t: 1024 * GiB };

/** Reads "512m", "1g", "1.5 GiB" or a plain number of bytes. */
export function parseBytes(text: string, what: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text);
  const bytes = match && Math.round(Number(match[1]) * (UNITS[(match[2] ?? "").toLowerCase()] ?? Number.NaN));
  if (!bytes) {
    throw new GloveboxError("usage", `${what} is "${text}"; give a size like 512m or 4g.`);
  }
  return bytes;
}

const SMALLEST = {
  memoryBytes: 64 * MiB,
  workBytes: MiB,
  tmpBytes: MiB,
  processes: 1,
  timeoutMs: 1,
} as const;

/** Fills in what is not given and refuses what cannot work. */
export function resolveLimits(given: Partial<SessionLimits>): SessionLimits {
  const limits = { ...defaultLimits, ...given };
  for (const [name, least] of Object.entries(SMALLEST)) {
    const value = limits[name as keyof SessionLimits];
    if (!Number.isSafeInteger(value) || value < least) {
      throw new GloveboxError(
        "usage",
        `${name} is ${value}; it must be a whole number of at least ${least}.`,
      );
    }
  }
  return limits;
}
