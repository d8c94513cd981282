import { z } from "zod";
import { PythonResult, Variable } from "../protocol/result.ts";

const failures = PythonResult.options.filter((option) => option.shape.kind.value === "error");

/** What a tool answers that is no Python: an object with `json` of this shape, or an error. */
function told(json: z.ZodObject): z.ZodType {
  const object = z.object({
    kind: z.literal("object"),
    json,
    notice: z.string().optional(),
    cut: z.string().optional().describe("Says that this is a part, and how to see the rest."),
  });
  return z.union([object, ...failures]);
}

const ListedTable = z.object({
  name: z.string().describe("For load_csv_handle."),
  path: z.string().describe("Below /mnt/data."),
  bytes: z.number(),
  modified: z.string(),
  columns: z.array(z.string()).optional(),
});
const FoundNote = z.object({
  id: z.number(),
  text: z.string(),
  tags: z.array(z.string()).optional(),
  saved: z.string(),
});

export const outputSchemas = {
  python: PythonResult as z.ZodType,
  tables: told(z.object({ files: z.array(ListedTable) })),
  variables: told(z.object({ variables: z.array(Variable) })),
  savedNote: told(z.object({ saved: z.number() })),
  foundNotes: told(z.object({ notes: z.array(FoundNote) })),
  putFile: told(z.object({ path: z.string(), bytes: z.number() })),
  reset: told(z.object({ reset: z.boolean() })),
  interrupted: told(z.object({ interrupted: z.boolean() })),
} as const;

/** As JSON Schema with an object at its root, which the older revisions demand. */
export function outputJsonSchema(schema: z.ZodType): { type: "object"; [key: string]: unknown } {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: "input" });
  return { ...written, type: "object", required: ["kind"], properties: { kind: { type: "string" } } };
}
