import { GloveboxError } from "../errors.ts";
import { defaultModelName, OFFLINE, readModelName } from "../models/model-name.ts";
import { type Survey, surveyProviders } from "../models/survey.ts";
import type { ServerConfig } from "./server-config.ts";

/** What requests call the server's own model, besides not naming any. */
export const DEFAULT = "default";
const ANY_OTHER = "*";
const FRESH_MS = 60_000;

/** The name of ours for what a request calls a model. */
export function resolveModelName(name: string | undefined, config: ServerConfig): string {
  const own = config.model ?? defaultModelName();
  const asked = name?.trim();
  if (!asked || asked === DEFAULT) return own;
  const { [ANY_OTHER]: other, ...aliases } = config.modelAliases;
  if (Object.hasOwn(aliases, asked)) return aliases[asked] ?? own;
  return other !== undefined && !isName(asked) ? other : asked;
}

export interface ListedModel {
  readonly id: string;
  readonly owner: string;
}

/** The models that can be named, asked of their providers now and then. */
export class ModelNames {
  readonly #config: ServerConfig;
  readonly #now: () => number;
  readonly #signal: AbortSignal;
  #survey: { readonly atMs: number; readonly found: Promise<Survey> } | undefined;

  constructor(parts: { config: ServerConfig; now: () => number; signal: AbortSignal }) {
    this.#config = parts.config;
    this.#now = parts.now;
    this.#signal = parts.signal;
  }

  async list(): Promise<ListedModel[]> {
    const { providers } = await this.#asked();
    const listed = new Map<string, ListedModel>();
    const add = (id: string, owner: string) => listed.has(id) || listed.set(id, { id, owner });
    const own = resolveModelName(undefined, this.#config);
    add(own, ownerOf(own));
    add(OFFLINE, "glovebox");
    for (const alias of Object.keys(this.#config.modelAliases))
      if (alias !== ANY_OTHER) add(alias, "glovebox");
    for (const { name, models } of providers) {
      if (name !== OFFLINE) for (const model of models) add(`${name}/${model}`, name);
    }
    return [...listed.values()];
  }

  async get(id: string): Promise<ListedModel | undefined> {
    if (isName(id)) return { id, owner: ownerOf(id) };
    return (await this.list()).find((model) => model.id === id);
  }

  #asked(): Promise<Survey> {
    const nowMs = this.#now();
    if (!this.#survey || nowMs - this.#survey.atMs > FRESH_MS) {
      const found = surveyProviders({ signal: this.#signal });
      this.#survey = { atMs: nowMs, found };
      found.catch(() => {
        this.#survey = undefined;
      });
    }
    return this.#survey.found;
  }
}

function isName(text: string): boolean {
  try {
    readModelName(text);
    return true;
  } catch (error) {
    if (error instanceof GloveboxError) return false;
    throw error;
  }
}

function ownerOf(name: string): string {
  return readModelName(name)?.provider.name ?? "glovebox";
}
