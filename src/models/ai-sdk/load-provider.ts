import type { LanguageModelV4 } from "@ai-sdk/provider";
import { GloveboxError } from "../../errors.ts";
import type { Access } from "../access.ts";

type Fetch = typeof globalThis.fetch;

export interface ProviderSettings {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly headers?: Record<string, string>;
  readonly fetch: Fetch;
}

/** Makes the provider's model for one request. */
export type OpenLanguageModel = (settings: { fetch: Fetch }) => LanguageModelV4;

type Create = (settings: ProviderSettings) => { languageModel?: (model: string) => LanguageModelV4 };

const SPOKEN = "v4";

/** Finds the provider's package, ours or one that the user has installed, and only now reads its code. */
export async function loadProvider(access: Access, model: string): Promise<OpenLanguageModel> {
  const { name } = access.provider;
  const create = findCreate(name, await importPackage(name));
  const { apiKey, baseUrl, headers } = access;
  const open: OpenLanguageModel = ({ fetch }) => {
    const provider = create({
      ...(apiKey ? { apiKey } : {}),
      ...(baseUrl ? { baseURL: baseUrl } : {}),
      headers: { ...headers },
      fetch,
    });
    if (typeof provider.languageModel !== "function") throw unknown(name, "makes no models of language");
    return provider.languageModel(model);
  };
  // Made once to see that we understand each other, before anybody asks it something.
  const { specificationVersion } = open({ fetch: globalThis.fetch });
  if (specificationVersion === SPOKEN) return open;
  throw unknown(
    name,
    `speaks version ${String(specificationVersion)} of the AI SDK and not ${SPOKEN}, so that another one is needed`,
  );
}

async function importPackage(provider: string): Promise<Record<string, unknown>> {
  const name = packageOf(provider);
  try {
    return await import(name);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const absent = code === "ERR_MODULE_NOT_FOUND" && message?.includes(name);
    throw unknown(provider, absent ? "is not installed" : "cannot be loaded", error);
  }
}

function findCreate(provider: string, exported: Record<string, unknown>): Create {
  const makers = Object.entries(exported).filter(
    ([name, value]) => /^create[A-Z]/.test(name) && typeof value === "function",
  );
  const wanted = `create${provider.replaceAll("-", "")}`;
  const [, found] = makers.find(([name]) => name.toLowerCase() === wanted) ?? makers[0] ?? [];
  if (found) return found as Create;
  throw unknown(provider, "exports no provider of models");
}

function packageOf(provider: string): string {
  return `@ai-sdk/${provider}`;
}

function unknown(provider: string, what: string, cause?: unknown): GloveboxError {
  return new GloveboxError(
    "model-unknown",
    `The provider ${JSON.stringify(provider)} needs the package ${packageOf(provider)}, which ${what}: npm install ${packageOf(provider)}@latest (with -g where glovebox is installed so). "glovebox models" lists the providers that need no package.`,
    cause === undefined ? {} : { cause },
  );
}
