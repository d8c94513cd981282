import { defaultAgentLimits } from "../../agent/limits.ts";
import { estimateTokens } from "../../history/tokens.ts";
import { noUsage } from "../../protocol/usage.ts";
import type { WireItem } from "../../store/kept-item.ts";
import { newId } from "../ids.ts";
import type { ServerParts } from "../server-parts.ts";
import { compactionItem, compactNow } from "./compaction.ts";
import { prepareInput, saidBefore } from "./prepare.ts";
import type { CompactRequest, CountRequest } from "./request.ts";
import { seconds, wireUsage } from "./response-object.ts";

/** A guess: providers count each in their own way. */
export async function countInput(parts: ServerParts, owner: string, request: CountRequest) {
  const before = await saidBefore(parts, owner, request);
  const { told, instructions, container } = await prepareInput(parts, owner, request, before);
  container?.[Symbol.dispose]();
  const tools = (request.tools ?? []).map((tool) => JSON.stringify(tool));
  return { object: "response.input_tokens", input_tokens: estimateTokens(told, [instructions, ...tools]) };
}

/** The user's messages, and one item that stands for the whole. */
export async function compactInput(
  parts: ServerParts,
  owner: string,
  request: CompactRequest,
  signal: AbortSignal,
) {
  const [model, before] = await Promise.all([
    parts.openModel(request.model ?? undefined),
    saidBefore(parts, owner, request),
  ]);
  const { told, input } = await prepareInput(parts, owner, request, before);
  const mostTokens = defaultAgentLimits.contextTokens;
  const compacted = await compactNow(told, { model, mostTokens, keptTokens: 0, signal });
  // With nothing to summarise the item holds everything as it was said.
  const { item } = compacted?.kept ?? compactionItem("", told);
  const asked = [...before, ...input].flatMap(({ item: said }): WireItem[] =>
    said.type === "message" && said.role === "user" ? [said] : [],
  );
  return {
    id: newId("resp_"),
    object: "response.compaction",
    created_at: seconds(parts.now()),
    output: [...asked, item],
    usage: wireUsage(compacted?.usage ?? noUsage),
  };
}
