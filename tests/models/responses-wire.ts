import { openModel } from "../../src/models/open-model.ts";
import { namedEvents, WireServer } from "../support/wire-server.ts";
import { TestClock } from "./collect.ts";

export const created = {
  type: "response.created",
  sequence_number: 0,
  response: { id: "resp_1", output: [] },
};
export const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 64, cache_write_tokens: 0 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 150,
};
export const counted = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 150,
};
export const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "It is 42.", annotations: [], logprobs: [] }],
};
export const completed = (output: object[] = [message]) => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output, usage },
});
export const answered = {
  pieces: namedEvents(
    created,
    { type: "response.output_item.done", output_index: 0, item: message },
    completed(),
  ),
};

export async function opened(more: object = {}) {
  const server = await WireServer.open();
  const clock = new TestClock();
  const model = await openModel("openai/gpt-5.1", {
    env: {},
    baseUrl: `${server.url}/v1`,
    apiKey: "sk-test-key-1234",
    clock,
    ...more,
  });
  return { server, clock, model };
}
