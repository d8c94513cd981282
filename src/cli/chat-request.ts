import { type AnalystRequest, analystFlags, readAnalystRequest } from "./analyst-flags.ts";
import { readArguments } from "./arguments.ts";
import { onlyPaths } from "./ask-words.ts";

export type ChatRequest = AnalystRequest & { readonly paths: readonly string[] };

export function readChatRequest(args: string[]): ChatRequest {
  const given = readArguments("chat", args, analystFlags);
  return { ...readAnalystRequest(given), paths: onlyPaths(given.words()) };
}
