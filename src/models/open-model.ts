// settle on a name → find its provider → find key and address → load only the code that talks to it

import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { type Access, accessTo, type ConnectionSettings } from "./access.ts";
import type { Model, ModelSettings } from "./model.ts";
import { defaultModelName, OFFLINE, readModelName } from "./model-name.ts";
import type { RetryClock } from "./retry.ts";
import { StreamingModel } from "./streaming-model.ts";
import type { Wire } from "./wire.ts";

export interface OpenModelOptions extends ConnectionSettings, ModelSettings {
  /** Makes the analyst that works without any provider. */
  readonly offline?: () => Model;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: RetryClock;
}

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_RETRIES = 3;

/** Node's own fetch gives up after five minutes of silence, so no longer patience can be promised. */
const Settings = z.object({
  timeoutMs: z.number().int().min(1).max(DEFAULT_TIMEOUT_MS).optional(),
  retries: z.number().int().min(0).max(20).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.number().int().min(1).optional(),
  reasoningEffort: z.string().min(1).optional(),
});

/** The model of this name; without one, GLOVEBOX_MODEL's, or the offline analyst. Nothing is sent yet. */
export async function openModel(name: string | undefined, options: OpenModelOptions = {}): Promise<Model> {
  const env = options.env ?? process.env;
  const settings = readSettings(options);
  const found = readModelName(name?.trim() || defaultModelName(env));
  if (!found) return offlineModel(options);
  const { missing, ...access } = accessTo(found.provider, options, env);
  if (missing) {
    throw new GloveboxError(
      "model-unknown",
      `${found.whole} is not configured: ${missing}. "glovebox models" shows what is; "${OFFLINE}" needs nothing.`,
    );
  }
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES, ...own } = settings;
  return new StreamingModel({
    name: found.whole,
    wire: await openWire(access, found.model),
    settings: own as ModelSettings,
    timeoutMs,
    retries,
    clock: options.clock,
  });
}

async function openWire(access: Access, model: string): Promise<Wire> {
  switch (access.provider.speaks) {
    case "responses":
      return new (await import("./openai/responses.ts")).ResponsesWire(access, model);
    case "chat":
      return new (await import("./openai/chat.ts")).ChatWire(access, model);
    case "ai-sdk":
      return (await import("./ai-sdk/ai-sdk.ts")).AiSdkWire.open(access, model);
  }
}

function offlineModel({ offline }: OpenModelOptions): Model {
  if (offline) return offline();
  throw new GloveboxError(
    "model-unknown",
    "No model is named and there is no offline analyst here; name one like openai/gpt-5.1, or set GLOVEBOX_MODEL.",
  );
}

function readSettings(options: OpenModelOptions): z.infer<typeof Settings> {
  const read = Settings.safeParse(options);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new GloveboxError("usage", `The model's ${issue?.path.join(".")} is not usable: ${issue?.message}.`);
}
