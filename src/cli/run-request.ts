import { parseBytes, type SessionLimits } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import { readArguments } from "./arguments.ts";
import type { CellSource } from "./cell-sources.ts";
import { bytesInWords } from "./quantities.ts";

export interface RunRequest {
  readonly cells: readonly CellSource[];
  readonly data: readonly string[];
  readonly out: string | undefined;
  readonly json: boolean;
  readonly keepGoing: boolean;
  readonly limits: Partial<SessionLimits>;
}

const sandboxes = ["local"];
const leastMemory = 64 << 20;
const leastDisk = 1 << 20;
const longestSeconds = 30 * 24 * 3600;

const flags = {
  code: { type: "string", short: "c" },
  data: { type: "string" },
  out: { type: "string" },
  json: { type: "boolean" },
  "keep-going": { type: "boolean" },
  timeout: { type: "string" },
  memory: { type: "string" },
  disk: { type: "string" },
  sandbox: { type: "string" },
} as const;

export function readRunRequest(args: string[]): RunRequest {
  const given = readArguments("run", args, flags);
  const cells: CellSource[] = [];
  for (const { flag, value } of given.inOrder) {
    if (flag === "code") cells.push({ code: value });
    else if (flag === undefined) cells.push(value === "-" ? "stdin" : { file: value });
  }
  if (cells.length === 0) {
    throw new GloveboxError(
      "usage",
      "There is nothing to run; give a file, -c CODE, or - for standard input.",
    );
  }
  if (cells.filter((cell) => cell === "stdin").length > 1) {
    throw new GloveboxError("usage", "Standard input can be read once only; give - once.");
  }
  checkSandbox(given.value("sandbox"));
  return {
    cells,
    data: given.values("data").map((path) => notEmpty("--data", path)),
    out: given.has("out") ? notEmpty("--out", given.value("out") ?? "") : undefined,
    json: given.has("json"),
    keepGoing: given.has("keep-going"),
    limits: {
      ...timeLimit(given.value("timeout")),
      ...sizeLimit("memoryBytes", "--memory", given.value("memory"), leastMemory),
      ...sizeLimit("workBytes", "--disk", given.value("disk"), leastDisk),
    },
  };
}

function checkSandbox(name: string | undefined): void {
  if (name === undefined || sandboxes.includes(name)) return;
  throw new GloveboxError(
    "usage",
    `There is no sandbox ${JSON.stringify(name)}; there is: ${sandboxes.join(", ")}.`,
  );
}

function notEmpty(flag: string, path: string): string {
  if (path !== "") return path;
  throw new GloveboxError("usage", `${flag} is empty; give it a path.`);
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
