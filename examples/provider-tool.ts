// OpenAI's own code interpreter from a program: a question about a CSV of the host, and the picture that it draws.
import { fileURLToPath } from "node:url";
import { downloadCitations, OpenAICodeInterpreterTool, runHosted } from "glovebox/tools";

const examples = fileURLToPath(new URL(".", import.meta.url));

if (!process.env.OPENAI_API_KEY) {
  console.log("This example asks OpenAI: set OPENAI_API_KEY and run it again.");
  process.exit(0);
}

const tool = new OpenAICodeInterpreterTool({
  container: {
    type: "auto",
    memory_limit: "1g",
    host_mounts: [{ hostPath: examples, mountPath: "data", includeGlobs: ["sales.csv"], maxBytes: 600_000 }],
  },
});

const run = await runHosted({
  tool,
  roots: [examples],
  model: process.env.OPENAI_MODEL ?? "gpt-5.1",
  input:
    "Which region sells the most in data/sales.csv? Draw a bar chart of the totals, save it and link it.",
  toolChoice: "required",
  onEvent: (event) => console.error(event.type, event.containerId ?? ""),
});

console.log(run.text);
for (const file of await downloadCitations(run, { folder: "out" })) console.log(`saved ${file.path}`);
