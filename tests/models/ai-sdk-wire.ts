import { z } from "zod";
import type { Model } from "../../src/models/model.ts";
import { openModel } from "../../src/models/open-model.ts";
import { Item, userMessage } from "../../src/protocol/items.ts";
import { WireServer } from "../support/wire-server.ts";
import { TestClock } from "./collect.ts";

export async function opened(
  name: string,
  path: string,
  more: object = {},
): Promise<{ server: WireServer; model: Model }> {
  const server = await WireServer.open();
  const model = await openModel(name, {
    env: {},
    baseUrl: `${server.url}${path}`,
    apiKey: "k-secret-1234",
    clock: new TestClock(),
    ...more,
  });
  return { server, model };
}
export const claude = (more: object = {}) => opened("anthropic/claude-sonnet-4-5", "/v1", more);
export const gemini = (more: object = {}) => opened("google/gemini-3-pro-preview", "/v1beta", more);
export const mistral = (more: object = {}) => opened("mistral/magistral-medium-latest", "/v1", more);

/** What comes of an answered call when the history goes back. */
export function answered(items: readonly Item[]): Item[] {
  const outputs = items.flatMap((item): Item[] =>
    item.type === "function_call"
      ? [{ type: "function_call_output", call_id: item.call_id, output: "42" }]
      : [],
  );
  return [userMessage("6*7?"), ...items, ...outputs];
}

/** As a history comes back from where it was kept. */
export function stored(items: readonly Item[]): Item[] {
  return z.array(Item).parse(JSON.parse(JSON.stringify(items)));
}
