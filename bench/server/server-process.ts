/** A server with a scripted model in a process of its own: `node server-process.ts HOME`. It ends with its parent. */
import type { Model } from "../../src/models/model.ts";
import { type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import { textOf } from "../../src/protocol/items.ts";
import { startServer } from "../../src/server/serve.ts";
import { readServerConfig } from "../../src/server/server-config.ts";
import { RUN, type ServerMessage } from "./messages.ts";

const ANSWER = "There are three regions, and the north sells most: 1,204 of 2,300 pieces.";
const GiB = 2 ** 30;

function* lines(): Generator<ScriptLine> {
  for (;;)
    yield ({ input }) => {
      const last = input.at(-1);
      const asked = last?.type === "message" ? textOf(last.content) : "";
      if (!asked.startsWith(RUN)) return ANSWER;
      return { calls: [{ name: "python_repl", arguments: { code: asked.slice(RUN.length) } }] };
    };
}

/** The same model, whose time is told when a step has ended. */
function timed(model: Model): Model {
  return {
    name: model.name,
    provider: model.provider,
    async *stream(request) {
      let modelMs = 0;
      const events = model.stream(request)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const begun = performance.now();
          const next = await events.next();
          modelMs += performance.now() - begun;
          if (next.done) return;
          yield next.value;
        }
      } finally {
        tell({ modelMs });
      }
    },
  };
}

function tell(message: ServerMessage): void {
  process.send?.(message);
}

const server = await startServer({
  config: readServerConfig({
    port: 0,
    limits: { fileBytes: 4 * GiB, sessionsPerKey: 1000, runsPerKey: 1000, drainMs: 1000 },
  }),
  home: process.argv[2] ?? "",
  openModel: async () => timed(scriptedModel(lines())),
});
process.once("disconnect", () => void server.close().finally(() => process.exit()));
tell({ url: server.url });
