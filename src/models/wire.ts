import type { Access } from "./access.ts";
import type { ModelEvent, ModelRequest } from "./model.ts";
import type { Trouble } from "./model-failure.ts";
import type { WatchedFetch } from "./watched-fetch.ts";

/** A way to talk to a provider: one request, one stream of events, no second try. */
export interface Wire {
  readonly access: Access;
  /** Ends after its `finish`; aborts with `watch.signal` and sends everything through `watch.fetch`. */
  stream(request: ModelRequest, watch: WatchedFetch): AsyncIterable<ModelEvent>;
  /** What an error of the package in use means; undefined for one that is not the provider's. */
  troubleOf(error: unknown): Trouble | undefined;
}
