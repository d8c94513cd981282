import { z } from "zod";
import { WireError } from "./wire-error.ts";

/** Which part of a list is wanted. */
export interface PageRequest {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The id after which the part begins. */
  readonly after?: string;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

export interface ListObject<T> {
  readonly object: "list";
  readonly data: readonly T[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** The query of a list call, as zod sees it. */
export function pageQuery(bounds: { readonly most: number; readonly usual: number }) {
  return z.object({
    limit: z.coerce.number().int().min(1).max(bounds.most).default(bounds.usual),
    order: z.enum(["asc", "desc"]).default("desc"),
    after: z.string().min(1).max(256).optional(),
  });
}

/** One more than the page was asked for: it says whether there is more. */
export function pageOf<T>(rows: readonly T[], limit: number): Page<T> {
  return { data: rows.slice(0, limit), hasMore: rows.length > limit };
}

export function listObject<T extends { readonly id: string }>(page: Page<T>): ListObject<T> {
  return {
    object: "list",
    data: page.data,
    first_id: page.data[0]?.id ?? null,
    last_id: page.data.at(-1)?.id ?? null,
    has_more: page.hasMore,
  };
}

/** For an `after` that names nothing in the list. */
export function unknownCursor(after: string): WireError {
  return new WireError({
    status: 400,
    message: `Invalid 'after': there is no '${after}' in this list.`,
    param: "after",
    code: "invalid_value",
  });
}

/** The schema of a list of such objects. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });
}
