import { Hono } from "hono";
import { z } from "zod";
import { listSchema } from "../pagination.ts";
import { readJson, readQuery } from "../request-body.ts";
import { compactInput, countInput } from "../responses/count-and-compact.ts";
import type { NumberedEvent } from "../responses/event-feed.ts";
import { ItemsPage, includedIn, itemPage, pageAsked } from "../responses/item-page.ts";
import { markInterrupted } from "../responses/mark-interrupted.ts";
import { notAgain } from "../responses/not-again.ts";
import { extraEvents } from "../responses/output-slot.ts";
import { CompactInput, CountInput, CreateResponse } from "../responses/request.ts";
import { ItemSchema, ResponseSchema } from "../responses/response-schema.ts";
import { ResponseService } from "../responses/response-service.ts";
import { KEEPALIVE_MS, sseResponse, sseText } from "../responses/sse.ts";
import { whenGone } from "../responses/when-gone.ts";
import type { RouteDoc } from "../route-doc.ts";
import type { ServerEnv, ServerParts } from "../server-parts.ts";

const GetQuery = z.looseObject({
  stream: z.enum(["true", "false"]).optional(),
  starting_after: z.coerce.number().int().min(0).optional(),
});
const Deleted = z.object({ id: z.string(), object: z.literal("response.deleted"), deleted: z.literal(true) });

/** Names what a stream has besides OpenAI's events, separated by commas. */
const EXTRA_EVENTS = "x-glovebox-stream";

export function responsesRoutes(parts: ServerParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const service = new ResponseService(parts, markInterrupted(parts.box.store.responses));
  const body = { mostBytes: parts.config.limits.requestBytes };

  app.post("/responses", async (c) => {
    const request = await readJson(c, CreateResponse, body);
    const words = (c.req.header(EXTRA_EVENTS) ?? "").split(",").map((word) => word.trim());
    const extra = new Set(extraEvents.filter((name) => words.includes(name)));
    const live = await service.begin({ owner: c.var.owner, request, extra });
    const stopWithClient = () => {
      if (!request.background) live.stop();
    };
    if (live.events) return stream(live.events, stopWithClient);
    if (request.background) return c.json(live.begun);
    using _ = whenGone(c, stopWithClient);
    const { response, error } = await live.ended;
    if (error) throw notAgain(error);
    return c.json(response);
  });

  app.post("/responses/input_tokens", async (c) =>
    c.json(await countInput(parts, c.var.owner, await readJson(c, CountInput, body))),
  );

  app.post("/responses/compact", async (c) => {
    const request = await readJson(c, CompactInput, body);
    using _run = parts.limits.run(c.var.owner);
    const signal = AbortSignal.any([c.req.raw.signal, parts.ending]);
    return c.json(await compactInput(parts, c.var.owner, request, signal));
  });

  app.get("/responses/:id", async (c) => {
    const { stream: streamed, starting_after: after = -1 } = readQuery(c, GetQuery);
    const [owner, id] = [c.var.owner, c.req.param("id")];
    if (streamed === "true") return stream(await service.events(owner, id, after), () => {});
    return c.json(await service.get(owner, id, includedIn(c)));
  });

  app.delete("/responses/:id", async (c) => {
    const id = c.req.param("id");
    await service.remove(c.var.owner, id);
    return c.json({ id, object: "response.deleted", deleted: true } satisfies z.infer<typeof Deleted>);
  });

  app.post("/responses/:id/cancel", async (c) =>
    c.json(await service.cancel(c.var.owner, c.req.param("id"))),
  );

  app.get("/responses/:id/input_items", async (c) => {
    const items = await service.input(c.var.owner, c.req.param("id"));
    return c.json(itemPage(items, pageAsked(c), includedIn(c)));
  });

  return app;
}

function stream(events: AsyncIterator<NumberedEvent>, onGone: () => void): Response {
  return sseResponse(texts(events), { keepaliveMs: KEEPALIVE_MS, onGone });
}

function texts(events: AsyncIterator<NumberedEvent>): AsyncIterator<string> {
  return {
    async next() {
      const { value, done } = await events.next();
      return done ? { value: undefined, done } : { value: sseText(value, value.type), done: false };
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
  };
}

export const responsesDocs: readonly RouteDoc[] = [
  {
    method: "post",
    path: "/v1/responses",
    summary:
      "Answer, with code where the tool code_interpreter is given; as a stream of events where stream is true",
    json: CreateResponse,
    answer: ResponseSchema,
  },
  {
    method: "post",
    path: "/v1/responses/input_tokens",
    summary: "Count the tokens of an input",
    json: CountInput,
    answer: z.object({ object: z.literal("response.input_tokens"), input_tokens: z.number().int() }),
  },
  {
    method: "post",
    path: "/v1/responses/compact",
    summary: "Summarise a conversation",
    json: CompactInput,
    answer: z.looseObject({
      id: z.string(),
      object: z.literal("response.compaction"),
      output: z.array(ItemSchema),
    }),
  },
  {
    method: "get",
    path: "/v1/responses/{response_id}",
    summary: "A response that was stored; the events of a background one where stream is true",
    query: GetQuery,
    answer: ResponseSchema,
  },
  {
    method: "delete",
    path: "/v1/responses/{response_id}",
    summary: "Delete a response",
    answer: Deleted,
  },
  {
    method: "post",
    path: "/v1/responses/{response_id}/cancel",
    summary: "Cancel a background response",
    answer: ResponseSchema,
  },
  {
    method: "get",
    path: "/v1/responses/{response_id}/input_items",
    summary: "What a response was asked",
    query: ItemsPage,
    answer: listSchema(ItemSchema),
  },
];
