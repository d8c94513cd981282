import { z } from "zod";

const Shared = {
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  images: z.array(z.object({ file: z.string(), mime: z.string() })).optional(),
  files: z.array(z.object({ path: z.string(), bytes: z.number() })).optional(),
  notice: z.string().optional(),
};

/** What a cell came to, as a program, a model and the command line all see it. */
export const PythonResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string(), ...Shared }),
  z.object({
    kind: z.literal("dataframe"),
    repr: z.string(),
    columns: z.array(z.string()),
    head: z.array(z.array(z.unknown())),
    row_count: z.number().int().nonnegative(),
    meta: z.object({
      dtypes: z.record(z.string(), z.string()),
      index: z.array(z.unknown()).optional(),
      source: z.enum(["pandas", "polars", "arrow"]).optional(),
      column_count: z.number().int().optional(),
    }),
    ...Shared,
  }),
  z.object({ kind: z.literal("object"), repr: z.string(), json: z.unknown().optional(), ...Shared }),
  z.object({
    kind: z.literal("error"),
    name: z.string(),
    message: z.string(),
    traceback: z.string(),
    ...Shared,
  }),
]);
export type PythonResult = z.infer<typeof PythonResult>;

/** Rich representations of one value, by MIME type; JSON types are parsed. */
export type MimeBundle = Readonly<Record<string, unknown>>;

export interface Display {
  readonly data: MimeBundle;
  /** True for the cell's own value, false for what it passed to display(). */
  readonly ofResult: boolean;
}

export type CellResult = PythonResult & {
  readonly cell: number;
  readonly duration_ms: number;
  readonly displays?: readonly Display[];
};

export const Variable = z.object({
  name: z.string(),
  type: z.string(),
  repr: z.string(),
  bytes: z.number(),
  shape: z.array(z.number()).optional(),
});
export type Variable = z.infer<typeof Variable>;

export const FileEntry = z.object({ path: z.string(), bytes: z.number(), modified_ms: z.number() });
export type FileEntry = z.infer<typeof FileEntry>;
