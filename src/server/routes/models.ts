import { Hono } from "hono";
import { z } from "zod";
import { type ListedModel, ModelNames } from "../model-names.ts";
import type { RouteDoc } from "../route-doc.ts";
import type { ServerEnv, ServerParts } from "../server-parts.ts";
import { WireError } from "../wire-error.ts";

const ModelObject = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number().int(),
  owned_by: z.string(),
});
const ModelList = z.object({ object: z.literal("list"), data: z.array(ModelObject) });

export function modelsRoutes(parts: ServerParts): Hono<ServerEnv> {
  const { config, now, ending: signal } = parts;
  const names = new ModelNames({ config, now, signal });
  const created = Math.floor(now() / 1000);
  const modelObject = ({ id, owner }: ListedModel): z.infer<typeof ModelObject> => {
    return { id, object: "model", created, owned_by: owner };
  };
  const app = new Hono<ServerEnv>();

  app.get("/models", async (c) => {
    const data = (await names.list()).map(modelObject);
    return c.json({ object: "list", data } satisfies z.infer<typeof ModelList>);
  });

  // A name has a slash in it.
  app.get("/models/:id{.+}", async (c) => {
    const id = c.req.param("id");
    const found = await names.get(id);
    if (found) return c.json(modelObject(found));
    throw new WireError({
      status: 404,
      message: `The model '${id}' does not exist; GET /v1/models lists those that do.`,
      param: "model",
      code: "model_not_found",
    });
  });

  return app;
}

export const modelsDocs: readonly RouteDoc[] = [
  { method: "get", path: "/v1/models", summary: "List models", answer: ModelList },
  { method: "get", path: "/v1/models/{model}", summary: "What is known of a model", answer: ModelObject },
];
