import { createHash } from "node:crypto";

/** What was said, as far as it tells one conversation from another. */
export interface Said {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[] | null | undefined;
}

/** Whose chat it is. Where one key serves many people, who say the same things, the client tells them apart. */
export interface Chatter {
  readonly owner: string;
  readonly user?: string | null | undefined;
}

const MOST_REMEMBERED = 10_000;

/**
 * Which container a chat goes on in. Chat clients send the whole conversation every time and name no container, so it
 * is known again by what was said up to the last answer.
 */
export class ChatContainers {
  readonly #known = new Map<string, string>();

  find(who: Chatter, messages: readonly Said[]): string | undefined {
    const last = messages.findLastIndex((message) => message.role === "assistant");
    return last < 0 ? undefined : this.#known.get(keyOf(who, messages.slice(0, last + 1)));
  }

  remember(who: Chatter, messages: readonly Said[], answer: Said, container: string): void {
    const key = keyOf(who, [...messages, answer]);
    this.#known.delete(key);
    this.#known.set(key, container);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Of each message what every client sends back as it was. */
function keyOf({ owner, user }: Chatter, messages: readonly Said[]): string {
  const hash = createHash("sha256").update(JSON.stringify([owner, user]));
  for (const { role, content, tool_calls } of messages) {
    const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
    const calls = (tool_calls ?? []).map(({ id }) => id);
    hash.update(JSON.stringify([role, text.trim(), calls]));
  }
  return hash.digest("hex");
}
