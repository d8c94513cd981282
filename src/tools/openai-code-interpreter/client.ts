import type { OpenAI } from "openai";
import { GloveboxError } from "../../errors.ts";

export interface ClientOptions {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** What every helper here takes: a client of one's own, or one made from OPENAI_API_KEY and OPENAI_BASE_URL. */
export interface ProviderOptions {
  readonly client?: OpenAI;
  readonly signal?: AbortSignal;
}

/** The official client; it is loaded when it is first needed. */
export async function openAIClient(options: ClientOptions = {}): Promise<OpenAI> {
  const apiKey = options.apiKey ?? process.env.OPENAI_API_KEY;
  if (!apiKey) {
    throw new GloveboxError(
      "provider-tool",
      "OpenAI's code interpreter needs a key; set OPENAI_API_KEY or pass a client.",
    );
  }
  const { OpenAI } = await import("openai");
  return new OpenAI({ apiKey, ...(options.baseURL ? { baseURL: options.baseURL } : {}) });
}

export async function clientOf(options: ProviderOptions): Promise<OpenAI> {
  return options.client ?? (await openAIClient());
}

/** The options of one request. */
export function requestOptions({ signal }: ProviderOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
