import type { AgentEvent } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type { TurnCell } from "./agent.ts";

/** What a turn has done so far, read from its events. */
export class TurnRecord {
  readonly items: Item[] = [];
  readonly cells: TurnCell[] = [];
  readonly #files = new Map<string, number>();
  readonly #intents = new Map<string, string>();
  readonly #codes = new Map<number, string>();

  take(event: AgentEvent): void {
    if (event.type === "tool-start" && event.intent) this.#intents.set(event.callId, event.intent);
    if (event.type === "cell-start") this.#codes.set(event.cell, event.code);
    if (event.type === "file") this.#files.set(event.path, event.bytes);
    if (event.type !== "cell-end") return;
    const intent = this.#intents.get(event.callId);
    this.cells.push({
      code: this.#codes.get(event.cell) ?? "",
      ...(intent ? { intent } : {}),
      result: event.result,
    });
  }

  get files(): { path: string; bytes: number }[] {
    return [...this.#files].map(([path, bytes]) => ({ path, bytes }));
  }
}
