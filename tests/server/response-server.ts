import { after } from "node:test";
import OpenAI from "openai";
import type { Model } from "../../src/models/model.ts";
import { type ScriptedModel, type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import { type RunningServer, startServer } from "../../src/server/serve.ts";
import { readServerConfig } from "../../src/server/server-config.ts";
import { openBoxAt, temporaryHome } from "../support/test-home.ts";

export interface TestServer {
  readonly url: string;
  readonly home: string;
  readonly client: OpenAI;
  readonly server: RunningServer;
  /** What the model says to the requests that come next. */
  script(...lines: ScriptLine[]): ScriptedModel;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string): Promise<Response>;
}

export interface TestServerOptions {
  readonly config?: Record<string, unknown>;
  readonly now?: () => number;
  readonly log?: string[];
}

/** A server on loopback with a scripted model; it ends with the test file. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = await temporaryHome();
  const box = await openBoxAt(home.path);
  let model: Model = scriptedModel([]);
  const server = await startServer({
    config: readServerConfig({ port: 0, ...options.config }),
    home: home.path,
    box,
    openModel: async () => model,
    ...(options.now ? { now: options.now } : {}),
    onLog: (line) => options.log?.push(line),
  });
  after(async () => {
    await server.close();
    await box.close();
    await home.remove();
  });
  return {
    url: server.url,
    home: home.path,
    server,
    client: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 }),
    script(...lines) {
      const scripted = scriptedModel(lines);
      model = scripted;
      return scripted;
    },
    post: (path, body, headers = {}) =>
      fetch(`${server.url}/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    get: (path) => fetch(`${server.url}/v1${path}`),
  };
}

/** A step in which the model runs code. */
export function python(code: string, more: { text?: string; callId?: string } = {}): ScriptLine {
  const { text, callId } = more;
  const call = { name: "python_repl", arguments: { code }, ...(callId ? { callId } : {}) };
  return { ...(text === undefined ? {} : { text }), calls: [call] };
}

export const codeInterpreter = {
  type: "code_interpreter",
  container: { type: "auto" },
} as const;

export interface SseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [name: string]: unknown;
}

/** The events of a stream that has ended, and the comments in it. */
export async function readSse(response: Response): Promise<{ events: SseEvent[]; comments: string[] }> {
  const blocks = (await response.text()).split("\n\n").filter((block) => block !== "");
  const events: SseEvent[] = [];
  const comments: string[] = [];
  for (const block of blocks) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) comments.push(block);
    else if (data !== "[DONE]") events.push(JSON.parse(data) as SseEvent);
  }
  return { events, comments };
}
