import type { Item } from "../../protocol/items.ts";
import type { KeptItem, WireItem } from "../../store/kept-item.ts";
import { type IdPrefix, newId } from "../ids.ts";
import { type Included, shownItem } from "./shown-item.ts";

export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What a client may ask for besides OpenAI's events: what a cell prints while it runs, and what it came to as a whole. */
export const extraEvents = ["stdout", "result"] as const;
export type ExtraEvents = ReadonlySet<(typeof extraEvents)[number]>;

/** Where the events and items of a response go. */
export interface OutputSink {
  /** Told to whoever listens; the number of the event is added there. */
  emit(event: WireEvent): void;
  /** Kept before anybody is told that the item is done. */
  save(position: number, kept: KeptItem): Promise<void>;
  readonly included: Included;
}

/** The place of one item in the output, from its first event to its last. */
export class OutputSlot {
  readonly id: string;
  readonly index: number;
  readonly #sink: OutputSink;
  done: WireItem | undefined;

  constructor(sink: OutputSink, index: number, prefix: IdPrefix) {
    this.#sink = sink;
    this.index = index;
    this.id = newId(prefix);
  }

  /** The item as it begins. */
  add(item: WireItem): void {
    this.#sink.emit({ type: "response.output_item.added", output_index: this.index, item });
  }

  emit(type: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#sink.emit({ type, output_index: this.index, item_id: this.id, ...fields });
  }

  async finish(item: WireItem, told: readonly Item[]): Promise<void> {
    this.done = item;
    await this.#sink.save(this.index, { id: this.id, item, ...(told.length > 0 ? { told } : {}) });
    const shown = shownItem(item, this.#sink.included);
    this.#sink.emit({ type: "response.output_item.done", output_index: this.index, item: shown });
  }
}
