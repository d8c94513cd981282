import type { Context } from "hono";
import type { KeptItem, WireItem } from "../../store/kept-item.ts";
import {
  type ListObject,
  listObject,
  type PageRequest,
  pageOf,
  pageQuery,
  unknownCursor,
} from "../pagination.ts";
import { readQuery } from "../request-body.ts";
import type { ServerEnv } from "../server-parts.ts";
import type { Include } from "./request.ts";
import { type Included, shownItem } from "./shown-item.ts";

export const ItemsPage = pageQuery({ most: 100, usual: 20 });

/** One part of a list of items that was said in this order. */
export function itemPage(
  items: readonly KeptItem[],
  { limit, order, after }: PageRequest,
  included: Included,
): ListObject<WireItem & { id: string }> {
  const ordered = order === "asc" ? [...items] : [...items].reverse();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw unknownCursor(after);
  const rows = ordered.slice(from, from + limit + 1).map((kept) => itemObject(kept, included));
  return listObject(pageOf(rows, limit));
}

export function itemObject({ id, item }: KeptItem, included: Included): WireItem & { id: string } {
  return { ...shownItem(item, included), type: item.type, id };
}

export function pageAsked(c: Context<ServerEnv>): PageRequest {
  const { after, ...page } = readQuery(c, ItemsPage);
  return { ...page, ...(after === undefined ? {} : { after }) };
}

/** SDKs write lists in a query in several ways. */
export function includedIn(c: Context<ServerEnv>): Included {
  const asked = [...(c.req.queries("include") ?? []), ...(c.req.queries("include[]") ?? [])];
  const indexed = Object.entries(c.req.query()).filter(([name]) => /^include\[\d+\]$/.test(name));
  return new Set(
    [...asked, ...indexed.map(([, value]) => value)].flatMap((value) => value.split(",")) as Include[],
  );
}
