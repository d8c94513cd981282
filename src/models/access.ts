import { GloveboxError } from "../errors.ts";
import type { Provider } from "./providers.ts";

export interface ConnectionSettings {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long no byte may come before a request counts as lost. */
  readonly timeoutMs?: number;
  /** Tries after the first, where it failed in passing. */
  readonly retries?: number;
}

/** Where a provider is and what lets us in. */
export interface Access {
  readonly provider: Provider;
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What no message may show. */
  readonly secrets: readonly string[];
}

/** Shorter words stand in messages for other reasons. */
const SHORTEST_SECRET = 8;

/** Settings come first, then the environment, then what the provider is known for. */
export function accessTo(
  provider: Provider,
  settings: ConnectionSettings,
  env: NodeJS.ProcessEnv,
): Access & { readonly missing: string | undefined } {
  const apiKey = settings.apiKey || firstOf(provider.keyVariables, env);
  const chosen = settings.baseUrl || baseUrlFrom(provider, env);
  const baseUrl = chosen === undefined ? provider.baseUrl : checkUrl(chosen, provider);
  const headers = settings.headers ?? {};
  const secrets = [apiKey, ...Object.values(headers)].filter(
    (secret) => secret !== undefined && secret.length >= SHORTEST_SECRET,
  ) as string[];
  const missing = whatIsMissing(provider, { apiKey, baseUrl });
  return { provider, apiKey, baseUrl, headers, secrets, missing };
}

function whatIsMissing(
  provider: Provider,
  { apiKey, baseUrl }: { apiKey: string | undefined; baseUrl: string | undefined },
): string | undefined {
  if (provider.needsBaseUrl && !baseUrl) return `set ${provider.baseUrlVariables[0]}, or give --base-url URL`;
  // Who is asked somewhere else than usual may need no key there.
  if (provider.needsKey && !apiKey && baseUrl === provider.baseUrl) {
    return `set ${provider.keyVariables[0]}`;
  }
  return undefined;
}

function firstOf(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  return names.map((name) => env[name]?.trim()).find(Boolean);
}

function baseUrlFrom(provider: Provider, env: NodeJS.ProcessEnv): string | undefined {
  const url = firstOf(provider.baseUrlVariables, env);
  if (url) return url;
  const host = provider.hostVariable && env[provider.hostVariable]?.trim();
  if (!host) return undefined;
  // An address to listen on is no address to call.
  const called = host.replace(/^(?:\w+:\/\/)?(?:0\.0\.0\.0|\[::\])/, "127.0.0.1");
  const withScheme = /^\w+:\/\//.test(called) ? called : `http://${called}`;
  const withPort = /:\d+\/?$/.test(withScheme) ? withScheme : `${withScheme.replace(/\/$/, "")}:11434`;
  return `${withPort.replace(/\/$/, "")}/v1`;
}

function checkUrl(text: string, provider: Provider): string {
  const url = URL.parse(text);
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return text.replace(/\/+$/, "");
  throw new GloveboxError(
    "usage",
    `The base URL ${JSON.stringify(text)} of ${provider.name} is not one; give one like ${provider.baseUrl ?? "http://127.0.0.1:8000/v1"}.`,
  );
}
