import assert from "node:assert/strict";
import { test } from "node:test";
import { openModel } from "../../src/models/open-model.ts";
import { type Item, textOf, userMessage } from "../../src/protocol/items.ts";
import { asking, collect, itemsIn, pythonTool } from "./collect.ts";

/** A model of every provider, and the variable that has to be set for it to be asked. */
const live: [variable: string, model: string][] = [
  ["OPENAI_API_KEY", process.env.GLOVEBOX_LIVE_OPENAI ?? "openai/gpt-5-mini"],
  ["OPENAI_API_KEY", process.env.GLOVEBOX_LIVE_OPENAI_CHAT ?? "openai-chat/gpt-4.1-mini"],
  ["ANTHROPIC_API_KEY", process.env.GLOVEBOX_LIVE_ANTHROPIC ?? "anthropic/claude-haiku-4-5"],
  ["GOOGLE_GENERATIVE_AI_API_KEY", process.env.GLOVEBOX_LIVE_GOOGLE ?? "google/gemini-2.5-flash"],
  ["MISTRAL_API_KEY", process.env.GLOVEBOX_LIVE_MISTRAL ?? "mistral/mistral-small-latest"],
  ["GLOVEBOX_LIVE_OLLAMA", process.env.GLOVEBOX_LIVE_OLLAMA ?? "ollama"],
];

for (const [variable, name] of live) {
  const skip = process.env[variable] ? false : `${variable} is not set`;
  test(`${name} calls a tool and answers with what it returned`, { skip, timeout: 180_000 }, async () => {
    const model = await openModel(name);
    const question = userMessage("Run Python to find 1234567 * 7654321, then tell me the number.");
    const first = itemsIn(
      await collect(model, asking({ input: [question], tools: [pythonTool], toolChoice: "auto" })),
    );
    const calls = first.filter((item) => item.type === "function_call");
    assert.ok(calls.length > 0, JSON.stringify(first));
    const outputs = calls.map(
      (call): Item => ({ type: "function_call_output", call_id: call.call_id, output: "9449772114007" }),
    );
    const second = itemsIn(
      await collect(model, asking({ input: [question, ...first, ...outputs], tools: [pythonTool] })),
    );
    const said = second.map((item) => (item.type === "message" ? textOf(item.content) : "")).join("");
    assert.match(said.replace(/\D/g, ""), /9449772114007/);
  });
}
