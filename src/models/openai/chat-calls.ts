import { z } from "zod";
import type { FunctionCallItem } from "../../protocol/items.ts";
import type { ModelEvent } from "../model.ts";
import { derivedId } from "../sealed.ts";

export const CallDelta = z.object({
  index: z.number().nullish(),
  id: z.union([z.string(), z.number()]).nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
});
export type CallDelta = z.infer<typeof CallDelta>;

interface Call {
  readonly place: number;
  /** As the server gave it, if it did. */
  readonly givenId: string;
  readonly callId: string;
  name: string;
  arguments: string;
}

/** What one delta adds; what it leaves out is empty. */
interface Part {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Calls put together from their parts, as differently as servers send them. */
export class ChatCalls {
  readonly #calls: Call[] = [];
  readonly #taken: Set<string>;
  readonly #seed: string;

  /** Ids in `taken` were used earlier in the conversation; `seed` makes ids of our own. */
  constructor({ taken, seed }: { taken: Iterable<string>; seed: string }) {
    this.#taken = new Set(taken);
    this.#seed = seed;
  }

  get size(): number {
    return this.#calls.length;
  }

  *take(delta: CallDelta): Generator<ModelEvent> {
    const part: Part = {
      id: String(delta.id ?? ""),
      name: delta.function?.name ?? "",
      text: argumentText(delta.function?.arguments),
    };
    let call = this.#find(delta.index ?? undefined, part);
    if (!call) {
      call = this.#add(delta.index ?? this.#calls.length, part);
      yield { type: "call-start", callId: call.callId, name: call.name };
    }
    call.name ||= part.name;
    if (part.text === "") return;
    call.arguments += part.text;
    yield { type: "call-delta", callId: call.callId, delta: part.text };
  }

  items(status: "completed" | "incomplete"): FunctionCallItem[] {
    return this.#calls.map((call, at) => ({
      type: "function_call",
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments === "" ? "{}" : call.arguments,
      status: at === this.#calls.length - 1 ? status : "completed",
    }));
  }

  /** The call that a part goes on with: by its place, unless the server uses one place for several calls. */
  #find(place: number | undefined, part: Part): Call | undefined {
    const atPlace = this.#calls.findLast((call) => place === undefined || call.place === place);
    if (!atPlace || part.name === "" || atPlace.name === "") return atPlace;
    if (part.id !== "") {
      if (part.id === atPlace.givenId) return atPlace;
      return place === undefined ? this.#calls.find((call) => call.givenId === part.id) : undefined;
    }
    const another = place === undefined || part.name !== atPlace.name || isWhole(atPlace.arguments);
    return another && part.text !== "" ? undefined : atPlace;
  }

  #add(place: number, { id: givenId, name }: Part): Call {
    let callId = givenId;
    for (let again = 0; callId === "" || this.#taken.has(callId); again++) {
      callId = derivedId("call", this.#seed, this.#calls.length, name, again);
    }
    this.#taken.add(callId);
    const call: Call = { place, givenId, callId, name, arguments: "" };
    this.#calls.push(call);
    return call;
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Some servers send arguments as an object that is not yet JSON text. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
