import type { z } from "zod";

/** What /openapi.json says about one route. */
export interface RouteDoc {
  readonly method: "get" | "post" | "delete";
  /** With parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly json?: z.ZodType;
  /** Fields of a form, "file" among them. */
  readonly form?: z.ZodType;
  /** The answer's body where it is JSON, else what it is. */
  readonly answer: z.ZodType | { readonly type: string };
}
