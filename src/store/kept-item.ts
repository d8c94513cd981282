import { z } from "zod";
import { Item } from "../protocol/items.ts";
import { jsonColumn } from "./json-column.ts";

/** An item as clients see it. */
export type WireItem = { readonly type: string } & Readonly<Record<string, unknown>>;

/** An item as it is kept: what clients see of it, and what models are told where that is something else. */
export interface KeptItem {
  readonly id: string;
  readonly item: WireItem;
  readonly told?: readonly Item[];
}

const Wire: z.ZodType<WireItem> = z.looseObject({ type: z.string() });

export const KeptItemRow = z
  .object({ id: z.string(), item: jsonColumn(Wire), told: jsonColumn(z.array(Item)).nullable() })
  .transform(({ id, item, told }): KeptItem => (told ? { id, item, told } : { id, item }));

export function toldColumn({ told }: KeptItem): string | null {
  return told ? JSON.stringify(told) : null;
}
