import { z } from "zod";
import type { Access } from "./access.ts";
import { transportTrouble } from "./transport-trouble.ts";

/** What a provider said when asked for its models. */
export type Listing =
  | { readonly answers: true; readonly models: readonly string[]; readonly count: number }
  | { readonly answers: false; readonly problem: string };

const MOST_MODELS = 200;
const MOST_BYTES = 4 << 20;
const id = z.string().min(1).max(200);
const ById = z.object({ data: z.array(z.looseObject({ id })).nullable() });
const ByName = z.object({ models: z.array(z.looseObject({ name: id })).default([]) });

export interface ListOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Asks a provider for its models; whatever goes wrong is told, not thrown. */
export async function listModels(access: Access, { signal, timeoutMs }: ListOptions): Promise<Listing> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const { url, headers } = question(access);
    const response = await fetch(url, {
      headers: { ...headers, ...access.headers },
      // A key is for the address that it was given for.
      redirect: "error",
      signal: AbortSignal.any([signal, limit]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { answers: false, problem: problemOf(response.status) };
    }
    const models = namesIn(JSON.parse(await boundedText(response)));
    return { answers: true, models: models.slice(0, MOST_MODELS), count: models.length };
  } catch (error) {
    if (limit.aborted) return { answers: false, problem: `no answer within ${timeoutMs / 1000} s` };
    const trouble = transportTrouble(error);
    const problem =
      trouble?.kind === "connection" ? `no answer, ${trouble.detail}` : "an answer that is no list of models";
    return { answers: false, problem };
  }
}

function question({ provider, apiKey, baseUrl }: Access): { url: string; headers: Record<string, string> } {
  const key = apiKey ?? "none";
  switch (provider.listing) {
    case "anthropic":
      return {
        url: `${baseUrl}/models?limit=1000`,
        headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
      };
    case "google":
      return { url: `${baseUrl}/models?pageSize=1000`, headers: { "x-goog-api-key": key } };
    default:
      return { url: `${baseUrl}/models`, headers: { authorization: `Bearer ${key}` } };
  }
}

function namesIn(body: unknown): string[] {
  const byId = ById.safeParse(body);
  if (byId.success) return (byId.data.data ?? []).map((model) => model.id);
  return ByName.parse(body).models.map((model) => model.name.replace(/^models\//, ""));
}

function problemOf(status: number): string {
  if (status === 401 || status === 403) return `the key is refused (${status})`;
  return `it answers ${status}`;
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > MOST_BYTES) throw new Error("too long");
  }
  return text + decoder.decode();
}
