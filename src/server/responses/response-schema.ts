import { z } from "zod";

/** The response object, for /openapi.json. */
export const ResponseSchema = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number().int(),
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  instructions: z.string().nullable(),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  parallel_tool_calls: z.boolean(),
  temperature: z.number(),
  top_p: z.number(),
  tool_choice: z.unknown(),
  tools: z.array(z.looseObject({ type: z.string() })),
  metadata: z.record(z.string(), z.string()),
  usage: z.unknown(),
});

export const ItemSchema = z.looseObject({ id: z.string(), type: z.string() });
