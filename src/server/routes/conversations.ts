import { Hono } from "hono";
import { z } from "zod";
import { ConversationService, conversationObject } from "../conversations/conversation-service.ts";
import { listObject, listSchema } from "../pagination.ts";
import { readJson } from "../request-body.ts";
import { ItemsPage, includedIn, itemObject, itemPage, pageAsked } from "../responses/item-page.ts";
import { RequestMetadata } from "../responses/request.ts";
import { ItemSchema } from "../responses/response-schema.ts";
import type { RouteDoc } from "../route-doc.ts";
import type { ServerEnv, ServerParts } from "../server-parts.ts";

const MOST_AT_ONCE = 20;
const Items = z.array(z.unknown()).max(MOST_AT_ONCE, `at most ${MOST_AT_ONCE} items at once`);
const NewConversation = z.looseObject({ items: Items.nullish(), metadata: RequestMetadata.nullish() });
const Update = z.looseObject({ metadata: RequestMetadata.nullable() });
const NewItems = z.looseObject({ items: Items.min(1) });
const ConversationSchema = z.object({
  id: z.string(),
  object: z.literal("conversation"),
  created_at: z.number().int(),
  metadata: z.record(z.string(), z.string()),
});
const Deleted = z.object({
  id: z.string(),
  object: z.literal("conversation.deleted"),
  deleted: z.literal(true),
});

export function conversationsRoutes(parts: ServerParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const service = new ConversationService(parts);
  const body = { mostBytes: parts.config.limits.requestBytes };

  app.post("/conversations", async (c) => {
    const { metadata, items } = await readJson(c, NewConversation, body);
    return c.json(conversationObject(await service.create(c.var.owner, metadata ?? {}, items ?? [])));
  });

  app.get("/conversations/:id", async (c) =>
    c.json(conversationObject(await service.get(c.var.owner, c.req.param("id")))),
  );

  app.post("/conversations/:id", async (c) => {
    const { metadata } = await readJson(c, Update, body);
    return c.json(conversationObject(await service.update(c.var.owner, c.req.param("id"), metadata ?? {})));
  });

  app.delete("/conversations/:id", async (c) => {
    const id = c.req.param("id");
    await service.remove(c.var.owner, id);
    return c.json({ id, object: "conversation.deleted", deleted: true } satisfies z.infer<typeof Deleted>);
  });

  app.post("/conversations/:id/items", async (c) => {
    const { items } = await readJson(c, NewItems, body);
    const added = await service.addItems(c.var.owner, c.req.param("id"), items);
    const included = includedIn(c);
    return c.json(listObject({ data: added.map((item) => itemObject(item, included)), hasMore: false }));
  });

  app.get("/conversations/:id/items", async (c) => {
    const items = await service.items(c.var.owner, c.req.param("id"));
    return c.json(itemPage(items, pageAsked(c), includedIn(c)));
  });

  app.get("/conversations/:id/items/:item", async (c) => {
    const item = await service.item(c.var.owner, c.req.param("id"), c.req.param("item"));
    return c.json(itemObject(item, includedIn(c)));
  });

  app.delete("/conversations/:id/items/:item", async (c) =>
    c.json(conversationObject(await service.removeItem(c.var.owner, c.req.param("id"), c.req.param("item")))),
  );

  return app;
}

export const conversationsDocs: readonly RouteDoc[] = [
  {
    method: "post",
    path: "/v1/conversations",
    summary: "Begin a conversation",
    json: NewConversation,
    answer: ConversationSchema,
  },
  {
    method: "get",
    path: "/v1/conversations/{conversation_id}",
    summary: "What is known of a conversation",
    answer: ConversationSchema,
  },
  {
    method: "post",
    path: "/v1/conversations/{conversation_id}",
    summary: "Change a conversation's metadata",
    json: Update,
    answer: ConversationSchema,
  },
  {
    method: "delete",
    path: "/v1/conversations/{conversation_id}",
    summary: "Delete a conversation",
    answer: Deleted,
  },
  {
    method: "post",
    path: "/v1/conversations/{conversation_id}/items",
    summary: "Add items to a conversation",
    json: NewItems,
    answer: listSchema(ItemSchema),
  },
  {
    method: "get",
    path: "/v1/conversations/{conversation_id}/items",
    summary: "The items of a conversation",
    query: ItemsPage,
    answer: listSchema(ItemSchema),
  },
  {
    method: "get",
    path: "/v1/conversations/{conversation_id}/items/{item_id}",
    summary: "One item of a conversation",
    answer: ItemSchema,
  },
  {
    method: "delete",
    path: "/v1/conversations/{conversation_id}/items/{item_id}",
    summary: "Delete an item of a conversation",
    answer: ConversationSchema,
  },
];
