import { derivedId } from "../sealed.ts";

/** What a provider takes for the id of a call, where it is particular about it. */
const shapes: Record<string, RegExp> = {
  mistral: /^[A-Za-z0-9]{9}$/,
  anthropic: /^[A-Za-z0-9_-]{1,64}$/,
};
const LENGTH_OF_ANY = 9;

/** The id that a call has had, or one made of it where it comes from a provider with other habits. */
export function callIdFor(provider: string, callId: string): string {
  const shape = shapes[provider];
  if (!shape || shape.test(callId)) return callId;
  return derivedId("", callId).slice(1, 1 + LENGTH_OF_ANY);
}
