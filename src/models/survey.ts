import { GloveboxError } from "../errors.ts";
import { type Access, accessTo } from "./access.ts";
import { type Listing, listModels } from "./list-models.ts";
import { defaultModelName, OFFLINE, readModelName } from "./model-name.ts";
import { type Provider, providers } from "./providers.ts";

export interface ProviderState {
  readonly name: string;
  readonly configured: boolean;
  /** What to do where it is not configured, or does not answer. */
  readonly fix?: string;
  readonly baseUrl?: string;
  /** Null where nobody asked, for it is not configured. */
  readonly answers: boolean | null;
  readonly problem?: string;
  readonly models: readonly string[];
  /** How many there are, of which only the first are named. */
  readonly modelCount: number;
  /** Whether somebody has set it up, and so expects it to answer. */
  readonly expected: boolean;
}

export interface Survey {
  readonly default: {
    readonly name: string;
    readonly from: "GLOVEBOX_MODEL" | "built-in";
    readonly problem?: string;
  };
  readonly providers: readonly ProviderState[];
}

const PATIENCE_MS = 3_000;

/** Asks every provider that is configured, and every server that may run here, all at once. */
export async function surveyProviders(options: {
  readonly env?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}): Promise<Survey> {
  const env = options.env ?? process.env;
  const asked = new Map<string, Promise<Listing>>();
  const list = (access: Access) => {
    // Two names of one provider are asked once.
    const key = JSON.stringify([access.baseUrl, access.apiKey]);
    const listing = asked.get(key) ?? listModels(access, { signal: options.signal, timeoutMs: PATIENCE_MS });
    asked.set(key, listing);
    return listing;
  };
  const states = await Promise.all(providers.map((provider) => stateOf(provider, env, list)));
  const offline = {
    name: OFFLINE,
    configured: true,
    answers: true,
    models: [OFFLINE],
    modelCount: 1,
    expected: true,
  };
  return { default: defaultOf(env), providers: [offline, ...states] };
}

async function stateOf(
  provider: Provider,
  env: NodeJS.ProcessEnv,
  list: (access: Access) => Promise<Listing>,
): Promise<ProviderState> {
  const unknown = { name: provider.name, answers: null, models: [], modelCount: 0 };
  try {
    const { missing, ...access } = accessTo(provider, {}, env);
    if (missing) return { ...unknown, configured: false, expected: false, fix: missing };
    const moved = access.baseUrl !== provider.baseUrl;
    const known = {
      name: provider.name,
      configured: true,
      expected: moved || provider.needsKey,
      ...(access.baseUrl ? { baseUrl: access.baseUrl } : {}),
    };
    const listing = await list(access);
    if (listing.answers)
      return { ...known, answers: true, models: listing.models, modelCount: listing.count };
    const fix = fixOf(provider, listing.problem, moved);
    return {
      ...known,
      answers: false,
      problem: listing.problem,
      models: [],
      modelCount: 0,
      ...(fix ? { fix } : {}),
    };
  } catch (error) {
    if (!(error instanceof GloveboxError)) throw error;
    return { ...unknown, configured: false, expected: true, problem: error.message };
  }
}

function fixOf(provider: Provider, problem: string, moved: boolean): string | undefined {
  const [key] = provider.keyVariables;
  const [url] = provider.baseUrlVariables;
  if (problem.startsWith("the key is refused")) return key && `check ${key}`;
  if (provider.start && problem.startsWith("no answer"))
    return `start it with ${provider.start}, or set ${url}`;
  if (!moved) return "check the network";
  return url && `check ${url}`;
}

function defaultOf(env: NodeJS.ProcessEnv): Survey["default"] {
  const name = defaultModelName(env);
  const from = env.GLOVEBOX_MODEL?.trim() ? "GLOVEBOX_MODEL" : "built-in";
  try {
    const found = readModelName(name);
    const missing = found && accessTo(found.provider, {}, env).missing;
    return { name, from, ...(missing ? { problem: `not configured: ${missing}` } : {}) };
  } catch (error) {
    if (!(error instanceof GloveboxError)) throw error;
    return { name, from, problem: error.message };
  }
}
