import type { Model } from "../models/model.ts";

const EFFORT = "high";
/** OpenAI's models that can be told how hard to think; others refuse a request that says so. */
const CAN_BE_TOLD = /^openai\/(?:o1(?!-mini|-preview)|o3|o4|gpt-5(?!.*chat))/;

/** The model with its effort raised, where it has one and the request leaves it open. */
export function thinkingHard(model: Model): Model {
  if (!CAN_BE_TOLD.test(model.name)) return model;
  return {
    name: model.name,
    provider: model.provider,
    stream: (request) => model.stream({ ...request, reasoningEffort: request.reasoningEffort ?? EFFORT }),
  };
}
