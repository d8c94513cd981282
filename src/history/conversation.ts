import { randomBytes } from "node:crypto";
import type { Item } from "../protocol/items.ts";

export interface ConversationParts {
  readonly id?: string;
  /** What was said before, from the store. */
  readonly items?: readonly Item[];
  /** Keeps every item before anything is done about it. */
  readonly onAppend?: (items: readonly Item[]) => Promise<void>;
  /** Told how many items are left when later ones are taken back. */
  readonly onTruncate?: (length: number) => Promise<void>;
}

/** What was said, in order: a log that only grows, but for turns that are taken back. */
export class Conversation {
  readonly id: string;
  readonly #items: Item[];
  readonly #parts: ConversationParts;

  constructor(parts: ConversationParts = {}) {
    this.id = parts.id ?? `conv_${randomBytes(16).toString("hex")}`;
    this.#items = [...(parts.items ?? [])];
    this.#parts = parts;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  async append(...items: readonly Item[]): Promise<void> {
    await this.#parts.onAppend?.(items);
    this.#items.push(...items);
  }

  /** Takes back everything after the first `length` items. */
  async truncate(length: number): Promise<void> {
    if (length >= this.#items.length) return;
    await this.#parts.onTruncate?.(length);
    this.#items.length = length;
  }
}
