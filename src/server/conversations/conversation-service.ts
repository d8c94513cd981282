import type { Metadata, OwnedConversation } from "../../store/conversation-items.ts";
import type { KeptItem } from "../../store/kept-item.ts";
import { newId } from "../ids.ts";
import { readInputItems } from "../responses/input-items.ts";
import { seconds } from "../responses/response-object.ts";
import type { ServerParts } from "../server-parts.ts";
import { notFound } from "../wire-error.ts";

/** Conversations that clients keep here. What is not there, or is somebody else's, is a WireError 404. */
export class ConversationService {
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  async create(owner: string, metadata: Metadata, items: readonly unknown[]): Promise<OwnedConversation> {
    const conversation = { id: newId("conv_"), owner, metadata, createdMs: this.#parts.now() };
    await this.#store.create(conversation, await this.#read(owner, items));
    return conversation;
  }

  async get(owner: string, id: string): Promise<OwnedConversation> {
    const found = await this.#store.get(owner, id);
    if (!found) throw notFound("Conversation", id);
    return found;
  }

  async update(owner: string, id: string, metadata: Metadata): Promise<OwnedConversation> {
    const found = await this.get(owner, id);
    await this.#store.update(owner, id, metadata);
    return { ...found, metadata };
  }

  async remove(owner: string, id: string): Promise<void> {
    if (!(await this.#store.remove(owner, id))) throw notFound("Conversation", id);
  }

  async addItems(owner: string, id: string, given: readonly unknown[]): Promise<KeptItem[]> {
    await this.get(owner, id);
    const items = await this.#read(owner, given);
    await this.#store.append(id, items);
    return items;
  }

  async items(owner: string, id: string): Promise<KeptItem[]> {
    await this.get(owner, id);
    return this.#store.items(id);
  }

  async item(owner: string, id: string, itemId: string): Promise<KeptItem> {
    const found = (await this.items(owner, id)).find((item) => item.id === itemId);
    if (!found) throw notFound("Item", itemId);
    return found;
  }

  async removeItem(owner: string, id: string, itemId: string): Promise<OwnedConversation> {
    const conversation = await this.get(owner, id);
    if (!(await this.#store.removeItem(id, itemId))) throw notFound("Item", itemId);
    return conversation;
  }

  #read(owner: string, items: readonly unknown[]): Promise<KeptItem[]> {
    return readInputItems(items, (id) => this.#parts.box.store.responses.findItem(owner, id), "items");
  }

  get #store() {
    return this.#parts.box.store.ownedConversations;
  }
}

export function conversationObject({ id, metadata, createdMs }: OwnedConversation) {
  return { id, object: "conversation" as const, created_at: seconds(createdMs), metadata };
}
