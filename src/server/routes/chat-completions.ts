import { Hono } from "hono";
import { z } from "zod";
import { ChatAnswer, type ChatChunk } from "../chat/chat-answer.ts";
import { ChatContainers } from "../chat/chat-containers.ts";
import { CreateChatCompletion } from "../chat/chat-request.ts";
import { asResponse } from "../chat/to-response.ts";
import { readJson } from "../request-body.ts";
import type { NumberedEvent } from "../responses/event-feed.ts";
import { notAgain } from "../responses/not-again.ts";
import type { CreateResponse } from "../responses/request.ts";
import { type LiveResponse, ResponseService } from "../responses/response-service.ts";
import { KEEPALIVE_MS, sseResponse, sseText } from "../responses/sse.ts";
import { whenGone } from "../responses/when-gone.ts";
import type { RouteDoc } from "../route-doc.ts";
import type { ServerEnv, ServerParts } from "../server-parts.ts";
import { WireError } from "../wire-error.ts";

export function chatCompletionsRoutes(parts: ServerParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const service = new ResponseService(parts);
  const containers = new ChatContainers();

  app.post("/chat/completions", async (c) => {
    const chat = await readJson(c, CreateChatCompletion, { mostBytes: parts.config.limits.requestBytes });
    const { owner } = c.var;
    const who = { owner, user: chat.safety_identifier ?? chat.user };
    const earlier = await existing(owner, containers.find(who, chat.messages));
    const request = { ...withContainer(asResponse(chat), earlier), stream: true };
    const live = await service.begin({ owner, request, extra: new Set() });
    const answer = new ChatAnswer(chat.model ?? String(live.begun.model), parts.now());
    const ended = () => {
      if (!answer.container) return;
      const { text: content, calls: tool_calls } = answer;
      const said = { role: "assistant" as const, content, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
      containers.remember(who, chat.messages, said, answer.container);
    };
    if (chat.stream) {
      const texts = chunks(live, answer, { withUsage: chat.stream_options?.include_usage ?? false, ended });
      return sseResponse(texts, { keepaliveMs: KEEPALIVE_MS, onGone: () => live.stop() });
    }
    using _ = whenGone(c, () => live.stop());
    for await (const event of eventsOf(live)) answer.take(event);
    const { error } = await live.ended;
    if (error) throw notAgain(error);
    ended();
    return c.json(answer.whole());
  });

  /** The container, unless it was removed meanwhile. */
  async function existing(owner: string, id: string | undefined): Promise<string | undefined> {
    if (id === undefined) return undefined;
    try {
      return (await parts.containers.get(owner, id)).id;
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
  }

  return app;
}

function withContainer(request: CreateResponse, id: string | undefined): CreateResponse {
  if (id === undefined) return request;
  const tools = (request.tools ?? []).map((tool) =>
    tool.type === "code_interpreter" && typeof tool.container !== "string"
      ? { ...tool, container: id }
      : tool,
  );
  return { ...request, tools };
}

async function* chunks(
  live: LiveResponse,
  answer: ChatAnswer,
  options: { withUsage: boolean; ended: () => void },
): AsyncGenerator<string> {
  for await (const event of eventsOf(live)) {
    if (event.type === "error") {
      const { message, code, param } = event;
      yield sseText({ error: { message, type: "server_error", code, param } });
      continue;
    }
    for (const chunk of answer.take(event)) yield sseText(chunk satisfies ChatChunk);
  }
  options.ended();
  if (options.withUsage) yield sseText(answer.usageChunk());
  yield sseText("[DONE]");
}

async function* eventsOf({ events }: LiveResponse): AsyncGenerator<NumberedEvent> {
  if (!events) return;
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) yield next.value;
  } finally {
    await events.return?.();
  }
}

export const chatCompletionsDocs: readonly RouteDoc[] = [
  {
    method: "post",
    path: "/v1/chat/completions",
    summary:
      "Answer a chat; the tool {type: code_interpreter}, or a model's name that ends with +python, gives the model Python",
    json: CreateChatCompletion,
    answer: z.looseObject({
      id: z.string(),
      object: z.literal("chat.completion"),
      created: z.number().int(),
      model: z.string(),
      choices: z.array(z.looseObject({ index: z.number().int(), finish_reason: z.string() })),
      usage: z.unknown(),
    }),
  },
];
