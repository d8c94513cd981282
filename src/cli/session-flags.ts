import type { GloveboxOptions, SandboxName } from "../compose.ts";
import { parseBytes, type SessionLimits } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import type { Arguments } from "./arguments.ts";
import { bytesInWords } from "./quantities.ts";

const sandboxes: readonly SandboxName[] = ["local", "docker", "auto"];
const leastMemory = 64 << 20;
const leastDisk = 1 << 20;
const longestSeconds = 30 * 24 * 3600;

/** The flags of every command that opens a session. */
export const sessionFlags = {
  timeout: { type: "string" },
  memory: { type: "string" },
  disk: { type: "string" },
  sandbox: { type: "string" },
  engine: { type: "string" },
  runtime: { type: "string" },
} as const;

/** The walls, as openGlovebox takes them. */
export type SandboxChoice = Pick<GloveboxOptions, "sandbox" | "docker">;

export function readSandbox(given: Arguments): SandboxChoice {
  const [name, engine, runtime] = ["sandbox", "engine", "runtime"].map((flag) => given.value(flag));
  const sandbox = sandboxes.find((one) => one === (name ?? "local"));
  if (!sandbox) {
    const known = sandboxes.join(", ");
    throw new GloveboxError("usage", `There is no sandbox ${JSON.stringify(name)}; there is: ${known}.`);
  }
  if (sandbox === "local" && (engine ?? runtime) !== undefined) {
    const flag = engine === undefined ? "--runtime" : "--engine";
    throw new GloveboxError("usage", `${flag} is for containers; add --sandbox docker.`);
  }
  return {
    sandbox,
    docker: {
      ...(engine === undefined ? {} : { command: notEmpty("--engine", engine, "docker or podman") }),
      ...(runtime === undefined ? {} : { runtime: notEmpty("--runtime", runtime, "a name, like runsc") }),
    },
  };
}

export function readLimits(given: Arguments): Partial<SessionLimits> {
  return {
    ...timeLimit(given.value("timeout")),
    ...sizeLimit("memoryBytes", "--memory", given.value("memory"), leastMemory),
    ...sizeLimit("workBytes", "--disk", given.value("disk"), leastDisk),
  };
}

export function notEmpty(flag: string, path: string, what = "a path"): string {
  if (path !== "") return path;
  throw new GloveboxError("usage", `${flag} is empty; give it ${what}.`);
}

function timeLimit(text: string | undefined): Partial<SessionLimits> {
  if (text === undefined) return {};
  const seconds = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 0.001 && seconds <= longestSeconds) return { timeoutMs: Math.round(seconds * 1000) };
  throw new GloveboxError(
    "usage",
    `--timeout is ${JSON.stringify(text)}; give seconds above 0, like 90 or 0.5.`,
  );
}

function sizeLimit(
  limit: "memoryBytes" | "workBytes",
  flag: string,
  text: string | undefined,
  least: number,
): Partial<SessionLimits> {
  if (text === undefined) return {};
  const bytes = parseBytes(text, flag);
  if (bytes >= least && Number.isSafeInteger(bytes)) return { [limit]: bytes };
  const bound = bytes < least ? `the least is ${bytesInWords(least)}` : "that is more than can be counted";
  throw new GloveboxError("usage", `${flag} is ${JSON.stringify(text)}; ${bound}.`);
}
