import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import type { Trouble } from "../model-failure.ts";

const Told = z.looseObject({
  message: z.string().optional(),
  type: z.unknown().optional(),
  code: z.unknown().optional(),
  status: z.unknown().optional(),
});
const Body = z.union([z.looseObject({ error: z.union([z.string(), Told]) }), Told]);

interface CallError extends Error {
  readonly statusCode?: number;
  readonly responseHeaders?: Record<string, string>;
  readonly responseBody?: string;
}

/** The package misses a key or a setting that only it knows the name of. */
export function missingSetting(error: unknown): GloveboxError | undefined {
  if (!(error instanceof Error) || !/^AI_Load(?:APIKey|Setting)Error$/.test(error.name)) return undefined;
  return new GloveboxError("model-unknown", `${error.message} "glovebox models" shows what is configured.`, {
    cause: error,
  });
}

/** What an error of the AI SDK means, told by its name: every package brings classes of its own. */
export function troubleOfAiSdk(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return { kind: "answered", status: 500, ...saidIn(JSON.stringify(error)) };
  const { name, message } = error;
  if (
    name === "AI_UnsupportedFunctionalityError" ||
    name === "AI_InvalidPromptError" ||
    name === "AI_InvalidArgumentError"
  ) {
    return { kind: "answered", status: 400, said: message };
  }
  const { statusCode, responseHeaders, responseBody } = error as CallError;
  if (statusCode === undefined) return undefined;
  if (statusCode >= 200 && statusCode < 300) return { kind: "protocol", detail: message };
  const told = saidIn(responseBody ?? "");
  return {
    kind: "answered",
    status: statusCode,
    said: told.said || message,
    code: told.code,
    header: (name) => responseHeaders?.[name],
  };
}

function saidIn(body: string): { said: string; code?: string } {
  try {
    const found = Body.parse(JSON.parse(body));
    const told = "error" in found ? (found.error as string | z.infer<typeof Told>) : found;
    if (typeof told === "string") return { said: told };
    const code = [told.code, told.type, told.status].find((value) => typeof value === "string");
    return { said: told.message ?? "", ...(code ? { code: code as string } : {}) };
  } catch {
    return { said: "" };
  }
}
