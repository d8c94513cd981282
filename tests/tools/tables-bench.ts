import type { TestContext } from "node:test";
import { Conversation } from "../../src/history/conversation.ts";
import type { Glovebox, Session, SessionOptions } from "../../src/index.ts";
import { dispatch } from "../../src/tools/dispatch.ts";
import { listCsvFiles } from "../../src/tools/list-csv-files.ts";
import { loadCsvHandle } from "../../src/tools/load-csv-handle.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { ToolContext, ToolEvent } from "../../src/tools/tool.ts";

export type Output = Record<string, unknown>;

export interface TablesBench {
  readonly session: Session;
  readonly events: ToolEvent[];
  put(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** What the model reads back. */
  call(name: string, given: unknown): Promise<Output>;
  load(name: string, more?: object): Promise<Output>;
  json(code: string): Promise<unknown>;
}

/** A session whose tables are listed and loaded as a model would. */
export async function openTables(
  t: TestContext,
  box: Glovebox,
  options: SessionOptions = {},
): Promise<TablesBench> {
  const session = await box.session(options);
  t.after(() => session.close());
  const registry = new ToolRegistry([listCsvFiles, loadCsvHandle]);
  const events: ToolEvent[] = [];
  const context: ToolContext = {
    callId: "call_1",
    session,
    conversation: new Conversation(),
    model: { name: "scripted", provider: "scripted" },
    deadline: undefined,
    signal: AbortSignal.timeout(120_000),
    emit: (event) => events.push(event),
    prompt: { agent: "test", turn: "turn_1", step: 1 },
  };
  const call = async (name: string, given: unknown): Promise<Output> => {
    const item = {
      type: "function_call",
      call_id: "call_1",
      name,
      arguments: JSON.stringify(given),
    } as const;
    const { output } = await dispatch(item, { registry, context, outputBytes: 1 << 20 });
    return JSON.parse(output);
  };
  return {
    session,
    events,
    call,
    async put(files) {
      for (const [path, content] of Object.entries(files)) {
        await session.files.put(path, typeof content === "string" ? Buffer.from(content, "utf8") : content);
      }
    },
    load: (name, more = {}) => call("load_csv_handle", { name, df_name: "df", ...more }),
    async json(code) {
      const result = await session.run(code);
      return result.kind === "object" ? result.json : result;
    },
  };
}
