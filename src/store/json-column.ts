import { z } from "zod";

/** A column that holds JSON, read as what the schema says. */
export function jsonColumn<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<unknown, string>>, Schema> {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema as never);
}
