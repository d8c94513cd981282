import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { SessionLimits } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import type { ConnectionSettings } from "../models/access.ts";
import type { ModelSettings } from "../models/model.ts";
import type { Arguments } from "./arguments.ts";
import { type PictureChoice, readPictureChoice } from "./pictures/pictures.ts";
import { notEmpty, readLimits, readSandbox, type SandboxChoice, sessionFlags } from "./session-flags.ts";
import type { CodeMode } from "./turn/turn-look.ts";

/** What `ask` and `chat` have in common. */
export interface AnalystRequest {
  readonly model: string | undefined;
  readonly tools: readonly string[];
  readonly session: string | undefined;
  /** Goes on with the last conversation. */
  readonly again: boolean;
  readonly code: CodeMode;
  readonly images: PictureChoice;
  readonly out: string | undefined;
  readonly limits: Partial<SessionLimits>;
  readonly walls: SandboxChoice;
  readonly settings: ModelSettings & ConnectionSettings;
}

const codeModes: readonly CodeMode[] = ["auto", "show", "hide"];

export const analystFlags = {
  model: { type: "string", short: "m" },
  "base-url": { type: "string" },
  effort: { type: "string" },
  temperature: { type: "string" },
  tools: { type: "string" },
  session: { type: "string" },
  continue: { type: "boolean", short: "c" },
  code: { type: "string" },
  "show-code": { type: "boolean" },
  images: { type: "string" },
  out: { type: "string" },
  ...sessionFlags,
} as const;

export function readAnalystRequest(given: Arguments): AnalystRequest {
  const [session, again] = [given.value("session"), given.has("continue")];
  if (session !== undefined && again) {
    throw new GloveboxError("usage", "--continue goes on in the session it was in; leave out --session.");
  }
  return {
    model: given.has("model") ? notEmpty("--model", given.value("model") ?? "", "a model's name") : undefined,
    tools: given.values("tools").map(toolModule),
    session: session === undefined ? undefined : notEmpty("--session", session, "a name"),
    again,
    code: given.has("show-code") ? "show" : readCodeMode(given.value("code")),
    images: readPictureChoice(given.value("images")),
    out: given.has("out") ? notEmpty("--out", given.value("out") ?? "") : undefined,
    limits: readLimits(given),
    walls: readSandbox(given),
    settings: readModelSettings(given),
  };
}

function toolModule(path: string): string {
  if (existsSync(notEmpty("--tools", path))) return resolve(path);
  throw new GloveboxError("usage", `Cannot read --tools ${path}: there is no such file; check the path.`);
}

function readModelSettings(given: Arguments): ModelSettings & ConnectionSettings {
  const [baseUrl, effort, temperature] = ["base-url", "effort", "temperature"].map((flag) =>
    given.value(flag),
  );
  return {
    ...(baseUrl === undefined ? {} : { baseUrl: notEmpty("--base-url", baseUrl, "an address") }),
    ...(effort === undefined
      ? {}
      : { reasoningEffort: notEmpty("--effort", effort, "a level, like low or high") }),
    ...(temperature === undefined ? {} : { temperature: readTemperature(temperature) }),
  };
}

function readTemperature(text: string): number {
  const temperature = text.trim() === "" ? Number.NaN : Number(text);
  if (temperature >= 0 && temperature <= 2) return temperature;
  throw new GloveboxError("usage", `--temperature is ${JSON.stringify(text)}; give a number from 0 to 2.`);
}

function readCodeMode(text: string | undefined): CodeMode {
  const mode = codeModes.find((one) => one === (text ?? "auto"));
  if (mode) return mode;
  throw new GloveboxError("usage", `--code is ${JSON.stringify(text)}; give one of ${codeModes.join(", ")}.`);
}
