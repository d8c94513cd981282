import type { Item } from "../protocol/items.ts";
import { type Usage, usageOf } from "../protocol/usage.ts";

const BYTES_A_TOKEN = 4;
const TOKENS_AN_ITEM = 4;
/** A picture's size in tokens depends on the provider; its base64 says nothing about it. */
const TOKENS_A_PICTURE = 1000;

/** A guess, for deciding what fits and where a provider does not count. */
export function estimateTokens(items: readonly Item[], texts: readonly string[] = []): number {
  let tokens = texts.reduce((sum, text) => sum + textTokens(text), 0);
  for (const item of items) tokens += TOKENS_AN_ITEM + itemTokens(item);
  return tokens;
}

export function estimateUsage(input: number, output: readonly Item[]): Usage {
  return usageOf({ input, output: estimateTokens(output), estimated: true });
}

function itemTokens(item: Item): number {
  switch (item.type) {
    case "message":
      return contentTokens(item.content);
    case "function_call":
      return textTokens(item.name) + textTokens(item.arguments);
    case "function_call_output":
      return contentTokens(item.output);
    default:
      return textTokens(JSON.stringify(item));
  }
}

function contentTokens(content: string | readonly { type: string }[]): number {
  if (typeof content === "string") return textTokens(content);
  return content.reduce(
    (sum, part) => sum + (part.type === "input_image" ? TOKENS_A_PICTURE : textTokens(JSON.stringify(part))),
    0,
  );
}

function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}
