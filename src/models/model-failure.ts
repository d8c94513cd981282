import { inspect } from "node:util";
import { GloveboxError } from "../errors.ts";
import type { Access } from "./access.ts";

/** What went wrong in one try, whichever package noticed it. */
export type Trouble =
  /** The provider answered with an error, as a status or inside its stream. */
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly said: string;
      readonly code?: string | undefined;
      readonly header?: (name: string) => string | null | undefined;
    }
  | { readonly kind: "connection"; readonly detail: string }
  | { readonly kind: "broken-off" }
  | { readonly kind: "stalled"; readonly timeoutMs: number }
  | { readonly kind: "protocol"; readonly detail: string };

const MOST_SAID = 500;
/** A page of an error may be megabytes long. */
const MOST_READ = 16 * 1024;

/** A failed try; what users meet is the GloveboxError that `toError` makes of it. */
export class ModelFailure extends Error {
  readonly trouble: Trouble;
  readonly #access: Access;

  constructor(trouble: Trouble, access: Access, options?: { cause?: unknown }) {
    super(trouble.kind, options);
    this.trouble = trouble;
    this.#access = access;
  }

  /** Whether another try may go better. */
  get passing(): boolean {
    const { trouble } = this;
    if (trouble.kind !== "answered") return trouble.kind !== "protocol";
    const wish = trouble.header?.("x-should-retry");
    if (wish === "false" || trouble.code === "insufficient_quota") return false;
    return isPassing(trouble.status);
  }

  get retryAfterMs(): number | undefined {
    return this.trouble.kind === "answered" ? retryAfter(this.trouble.header) : undefined;
  }

  toError(tries: number): GloveboxError {
    const { trouble } = this;
    const { provider, baseUrl } = this.#access;
    const told = tries > 1 ? `, ${tries} tries` : "";
    const where = baseUrl ? `${provider.name} at ${baseUrl}` : provider.name;
    switch (trouble.kind) {
      case "connection":
        return this.#error(
          "model-unreachable",
          `Cannot reach ${where} (${trouble.detail}${told}); ${howToReach(this.#access)}`,
        );
      case "broken-off":
        return this.#error(
          "model-unreachable",
          `${where} broke off in the middle of its answer${told}; ask again.`,
        );
      case "stalled":
        return this.#error(
          "model-unreachable",
          `${where} sent nothing for ${trouble.timeoutMs / 1000} s${told}; ask again, or raise the model's time limit.`,
        );
      case "protocol":
        return this.#error(
          "model-protocol",
          `${where} answered with something that is not a model's answer: ${this.#told(trouble.detail)}. Check the base URL and the server's version.`,
        );
      case "answered":
        return this.#answered(trouble, told);
    }
  }

  #answered(trouble: Extract<Trouble, { kind: "answered" }>, told: string): GloveboxError {
    const { provider } = this.#access;
    const said = this.#told(trouble.said) || "no reason given";
    const words = `${provider.name} answered ${trouble.status}${told}: ${said}.`;
    if (trouble.code !== "insufficient_quota" && isPassing(trouble.status)) {
      const wait = this.retryAfterMs;
      const when = wait ? `in ${Math.ceil(wait / 1000)} s` : "later";
      return this.#error("model-unreachable", `${words} Ask again ${when}, or take another model.`);
    }
    return this.#error("model-refused", `${words} ${whatToDo(trouble.status, this.#access)}`);
  }

  /** What somebody else said, as part of a sentence of ours. */
  #told(text: string): string {
    return bounded(withoutSecrets(text.slice(0, MOST_READ), this.#access)).replace(/[.\s]+$/, "");
  }

  #error(code: "model-unreachable" | "model-refused" | "model-protocol", message: string): GloveboxError {
    return new GloveboxError(code, message, this.#shownCause());
  }

  /** A cause is shown when debugging, and so must not tell a secret either. */
  #shownCause(): { cause?: unknown } {
    const { cause } = this;
    const text = inspect(cause, { depth: 10, maxStringLength: null, maxArrayLength: null });
    return cause === undefined || withoutSecrets(text, this.#access) !== text ? {} : { cause };
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function howToReach({ provider }: Access): string {
  const moved = provider.baseUrlVariables[0];
  const elsewhere = moved ? `, or say where it is: --base-url URL or ${moved}=URL` : "";
  if (provider.start) return `start it (${provider.start})${elsewhere}.`;
  return `check the network${elsewhere}.`;
}

function whatToDo(status: number, { provider, baseUrl }: Access): string {
  const [key] = provider.keyVariables;
  if (status === 401 && key) return `Check the key in ${key}.`;
  if (status === 403) return "The key may lack the right to this model; take another model or key.";
  if (status === 404 && provider.speaks === "responses" && baseUrl !== provider.baseUrl) {
    return "A server without the Responses API is named openai-chat/MODEL or openai-compatible/MODEL.";
  }
  if (status === 404)
    return 'Check the model\'s name and the base URL; "glovebox models" lists what there is.';
  if (status === 413) return "Send less at once.";
  if (status === 429) return "Check the account's plan and billing, or take another model.";
  return "Change what it names, or take another model.";
}

function retryAfter(header: ((name: string) => string | null | undefined) | undefined): number | undefined {
  const inMs = Number.parseFloat(header?.("retry-after-ms") ?? "");
  if (inMs >= 0) return Math.ceil(inMs);
  const text = header?.("retry-after") ?? "";
  const seconds = Number.parseFloat(text);
  if (seconds >= 0) return Math.ceil(seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function bounded(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MOST_SAID ? line : `${line.slice(0, MOST_SAID)}…`;
}

function withoutSecrets(text: string, { secrets }: Access): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text);
}
