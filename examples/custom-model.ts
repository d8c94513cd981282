// A model of your own: anything that streams events. This one sends every question to Python as it is.
import { openGlovebox } from "glovebox";
import type { Model, ModelEvent, ModelRequest } from "glovebox/models";

const calculator: Model = {
  name: "calculator",
  provider: "example",
  async *stream({ input }: ModelRequest): AsyncGenerator<ModelEvent> {
    const last = input.at(-1);
    if (last?.type === "function_call_output") {
      const { repr, message } = JSON.parse(String(last.output)) as { repr?: string; message?: string };
      yield* say(`That is ${repr ?? message}.`);
      return;
    }
    const question = last?.type === "message" ? last.content : "";
    const code =
      typeof question === "string"
        ? question
        : question.map((part) => ("text" in part ? part.text : "")).join("");
    const call = { type: "function_call", call_id: `call_${input.length}`, name: "python_repl" } as const;
    yield { type: "item", item: { ...call, arguments: JSON.stringify({ code }) } };
    yield { type: "finish", reason: "tool-calls" };
  },
};

function* say(text: string): Generator<ModelEvent> {
  yield { type: "text-delta", text };
  const content = [{ type: "output_text" as const, text, annotations: [] }];
  yield { type: "item", item: { type: "message", role: "assistant", content } };
  yield { type: "finish", reason: "stop" };
}

await using box = await openGlovebox();
await using session = await box.session();
const analyst = await box.analyst({ session, model: calculator });
const { answer, cells } = await analyst.ask("sum(n * n for n in range(10))");
console.log(`${answer} (${cells.length} cell)`);
