import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after } from "node:test";

export interface Line {
  readonly text?: string;
  /** Calls of python_repl. */
  readonly cells?: readonly { readonly intent?: string; readonly code: string }[];
  /** An HTTP status instead of an answer. */
  readonly status?: number;
}

export interface ChatServer {
  /** What makes the command line ask it. */
  readonly env: Record<string, string>;
  /** The messages of every request, in order. */
  readonly requests: { readonly role: string; readonly content?: unknown }[][];
}

const MODEL = "ollama/scripted";

/** A server that speaks Chat Completions and says its lines in order, over and over the last one. */
export async function chatServer(lines: readonly Line[]): Promise<ChatServer> {
  const requests: ChatServer["requests"] = [];
  const server = createServer((request, response) => void answer(request, response, lines, requests));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { env: { OLLAMA_BASE_URL: `http://127.0.0.1:${port}/v1`, GLOVEBOX_MODEL: MODEL }, requests };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  lines: readonly Line[],
  requests: ChatServer["requests"],
): Promise<void> {
  const body = JSON.parse((await text(request)) || "{}");
  const line = lines[Math.min(requests.length, lines.length - 1)] ?? {};
  requests.push(body.messages ?? []);
  if (line.status) {
    response.writeHead(line.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "The key is not known.", type: "auth" } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, finish: string | null = null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = {
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model: "scripted",
      choices,
      ...more,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const content of line.text?.match(/.{1,7}/gsu) ?? []) send({ role: "assistant", content });
  for (const [index, cell] of (line.cells ?? []).entries()) {
    const id = `call_${requests.length}_${index}`;
    const call = { name: "python_repl", arguments: JSON.stringify(cell) };
    send({ role: "assistant", tool_calls: [{ index, id, type: "function", function: call }] });
  }
  send({}, line.cells ? "tool_calls" : "stop", {
    usage: { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 },
  });
  response.end("data: [DONE]\n\n");
}
