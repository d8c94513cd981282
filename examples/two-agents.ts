// Two agents on one question: the first sees host files and runs no code, the second runs code and sees no host.
import { openGlovebox } from "glovebox";
import { Conversation, Orchestrator } from "glovebox/agents";
import { offlineAnalyst } from "glovebox/models";

const question = process.argv[2] ?? "What factors contribute the most to accident frequency?";

await using box = await openGlovebox();
await using session = await box.session();
const orchestrator = new Orchestrator({
  // The built-in analyst needs no key; openModel("openai/o3-mini") from "glovebox/models" thinks for itself.
  model: offlineAnalyst(),
  session,
  conversation: new Conversation(),
  files: ["examples/traffic_accidents.csv"],
  // Whatever is named must be below these.
  roots: ["examples"],
});
const { answer } = await orchestrator.ask(question, {
  onEvent: (event) => {
    if (event.type === "stage-start") console.log(`[${event.stage}/${event.of}] ${event.title}`);
    if (event.type === "tool-start" && event.intent) console.log(`  ${event.intent}`);
  },
});
console.log(`\n${answer}`);
