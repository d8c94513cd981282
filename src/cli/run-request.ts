import type { SessionLimits } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import { readArguments } from "./arguments.ts";
import type { CellSource } from "./cell-sources.ts";
import { notEmpty, readLimits, readSandbox, type SandboxChoice, sessionFlags } from "./session-flags.ts";

export interface RunRequest {
  readonly cells: readonly CellSource[];
  readonly data: readonly string[];
  readonly out: string | undefined;
  readonly json: boolean;
  readonly keepGoing: boolean;
  readonly limits: Partial<SessionLimits>;
  readonly walls: SandboxChoice;
}

const flags = {
  code: { type: "string", short: "c" },
  data: { type: "string" },
  out: { type: "string" },
  json: { type: "boolean" },
  "keep-going": { type: "boolean" },
  ...sessionFlags,
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
  return {
    cells,
    data: given.values("data").map((path) => notEmpty("--data", path)),
    out: given.has("out") ? notEmpty("--out", given.value("out") ?? "") : undefined,
    json: given.has("json"),
    keepGoing: given.has("keep-going"),
    limits: readLimits(given),
    walls: readSandbox(given),
  };
}
