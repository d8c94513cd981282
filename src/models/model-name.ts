import { GloveboxError } from "../errors.ts";
import { nearest } from "../support/nearest.ts";
import { otherProvider, type Provider, providers } from "./providers.ts";

export const OFFLINE = "offline";

export interface ModelName {
  /** As the user wrote it. */
  readonly whole: string;
  readonly provider: Provider;
  /** The provider's own name for the model; may hold slashes. */
  readonly model: string;
}

/** The model to use where none is named: GLOVEBOX_MODEL, or the offline analyst. */
export function defaultModelName(env: NodeJS.ProcessEnv = process.env): string {
  return env.GLOVEBOX_MODEL?.trim() || OFFLINE;
}

/** Reads `provider/model`; "offline" is undefined here, since no provider is asked for it. */
export function readModelName(text: string): ModelName | undefined {
  const whole = text.trim();
  if (whole.toLowerCase() === OFFLINE) return undefined;
  const slash = whole.indexOf("/");
  const named = (slash < 0 ? whole : whole.slice(0, slash)).toLowerCase();
  const model = slash < 0 ? "" : whole.slice(slash + 1).trim();
  const provider = findProvider(named, slash >= 0, whole);
  if (model === "") {
    throw unknown(
      `${JSON.stringify(whole)} names no model; write ${provider.name}/MODEL, for example ${provider.name}/${provider.example}.`,
    );
  }
  return { whole, provider, model };
}

function findProvider(named: string, hasModel: boolean, whole: string): Provider {
  const known = providers.find((provider) => provider.name === named);
  if (known) return known;
  const close = nearest(named, [...providers.map((provider) => provider.name), OFFLINE]);
  if (close === OFFLINE)
    throw unknown(`There is no model ${JSON.stringify(whole)}; did you mean ${OFFLINE}?`);
  if (close) throw unknown(`There is no provider ${JSON.stringify(named)}; did you mean ${close}/…?`);
  if (hasModel && /^[a-z0-9][a-z0-9-]{0,63}$/.test(named)) return otherProvider(named);
  throw unknown(
    `${JSON.stringify(whole)} is no model's name; write provider/model, for example openai/gpt-5.1 or ollama/qwen3-coder. "glovebox models" lists the providers.`,
  );
}

function unknown(message: string): GloveboxError {
  return new GloveboxError("model-unknown", message);
}
