import type { WireItem } from "../../store/kept-item.ts";
import type { Include } from "./request.ts";

/** What a client asked to see besides what everybody sees. */
export type Included = ReadonlySet<Include>;

/** An item as this client sees it: everything is kept, and shown where it was asked for. */
export function shownItem(item: WireItem, included: Included): WireItem {
  if (item.type === "code_interpreter_call" && !included.has("code_interpreter_call.outputs"))
    return { ...item, outputs: null };
  if (item.type === "reasoning" && !included.has("reasoning.encrypted_content")) {
    const { encrypted_content: _, ...shown } = item;
    return shown as WireItem;
  }
  return item;
}
