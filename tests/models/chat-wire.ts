import { openModel } from "../../src/models/open-model.ts";
import { dataEvents, WireServer } from "../support/wire-server.ts";

export const chunk = (delta: object, more: object = {}) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
export const ending = (reason: string) => chunk({}, { finish_reason: reason });
export const told = { pieces: dataEvents(chunk({ role: "assistant", content: "42" }), ending("stop")) };

export async function opened(name = "openai-compatible/some/model", more: object = {}) {
  const server = await WireServer.open();
  const model = await openModel(name, { env: {}, baseUrl: `${server.url}/v1`, ...more });
  return { server, model };
}
