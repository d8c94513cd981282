/** A server in a process of its own, to be killed: `node server-process.ts HOME`. */
import { type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import { startServer } from "../../src/server/serve.ts";
import { readServerConfig } from "../../src/server/server-config.ts";
import { openBoxAt } from "../support/test-home.ts";

const home = process.argv[2] ?? "";

function* lines(): Generator<ScriptLine> {
  for (;;)
    yield ({ input }) => {
      const answered = input.at(-1)?.type === "function_call_output";
      const asked = JSON.stringify(input.findLast((item) => item.type === "message" && item.role === "user"));
      if (!asked.includes("slow")) return "At once.";
      if (!answered) return { calls: [{ name: "python_repl", arguments: { code: "1 + 1" } }] };
      return { calls: [{ name: "python_repl", arguments: { code: "import time\ntime.sleep(600)" } }] };
    };
}

const model = scriptedModel(lines());
const { url } = await startServer({
  config: readServerConfig({ port: 0 }),
  home,
  box: await openBoxAt(home),
  openModel: async () => model,
});
process.stdout.write(`${url}\n`);
