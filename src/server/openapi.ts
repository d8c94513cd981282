import { z } from "zod";
import type { RouteDoc } from "./route-doc.ts";

type Json = Record<string, unknown>;

const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** The server's own OpenAPI document, made from the schemas that its requests are read with. */
export function openApiDocument(routes: readonly RouteDoc[], about: { readonly version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Glovebox",
      version: about.version,
      description: "A code interpreter you host yourself, with the API of OpenAI.",
    },
    security: [{ key: [] }, {}],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(ErrorBody, "output") },
    },
  };
}

function operation(route: RouteDoc): Json {
  const content: Json = {
    ...(route.json ? { "application/json": { schema: schemaOf(route.json, "input") } } : {}),
    ...(route.form ? { "multipart/form-data": { schema: formOf(route.form) } } : {}),
  };
  return {
    summary: route.summary,
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(Object.keys(content).length > 0 ? { requestBody: { required: true, content } } : {}),
    responses: {
      200: { description: "Done.", content: answerOf(route.answer) },
      default: {
        description: "An error.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): Json[] {
  const { properties = {} } = (query ? schemaOf(query, "input") : {}) as {
    properties?: Record<string, Json>;
  };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}

/** JSON Schema has no word for a file; OpenAPI says it is binary. */
function formOf(form: z.ZodType): Json {
  const schema = schemaOf(form, "input") as Json & { properties?: Json };
  return { ...schema, properties: { ...schema.properties, file: { type: "string", format: "binary" } } };
}

function answerOf(answer: RouteDoc["answer"]): Json {
  if (answer instanceof z.ZodType) return { "application/json": { schema: schemaOf(answer, "output") } };
  return { [answer.type]: { schema: answer.type === "application/octet-stream" ? {} : { type: "string" } } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
