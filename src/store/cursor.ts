/** Which rows of a list are wanted; `after` is the id of the row before them. */
export interface Cursor {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly after?: string;
}

/** The end of a SELECT over a table with a `position`; its values are the position after which to begin, and the limit. */
export function inOrder(order: Cursor["order"]): string {
  return order === "asc"
    ? "AND position > ? ORDER BY position ASC LIMIT ?"
    : "AND position < ? ORDER BY position DESC LIMIT ?";
}

/** The position before all rows. */
export function beforeAll(order: Cursor["order"]): number {
  return order === "asc" ? 0 : Number.MAX_SAFE_INTEGER;
}
