import type { HttpBindings } from "@hono/node-server";
import type { Glovebox } from "../compose.ts";
import type { Model } from "../models/model.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { ContainerService } from "./containers/container-service.ts";
import type { FileService } from "./files/file-service.ts";
import type { Metrics } from "./metrics.ts";
import type { Owners } from "./owner.ts";
import type { OwnerLimits } from "./owner-limits.ts";
import type { ServerConfig } from "./server-config.ts";

/** What the routes are made of. */
export interface ServerParts {
  readonly box: Glovebox;
  readonly home: string;
  readonly config: ServerConfig;
  /** The model of this name; the server's own where none is given. Nothing is sent yet. */
  readonly openModel: (name: string | undefined) => Promise<Model>;
  readonly containers: ContainerService;
  readonly files: FileService;
  /** Who a request comes from. */
  readonly owners: Owners;
  /** What an owner may do at once. */
  readonly limits: OwnerLimits;
  readonly metrics: Metrics;
  /** Work that goes on after its request was answered; the end of the server waits for it. */
  readonly work: BackgroundWork;
  /** Aborted when the server is asked to end: nothing new begins, what runs goes on. */
  readonly draining: AbortSignal;
  /** Aborted when a draining server waits no longer: whatever runs ends now and is marked so. */
  readonly ending: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onLog: (line: string) => void;
}

/** What every request of ours carries. */
export interface ServerEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** "local" on loopback without a key, else the "key_…" of the key; nobody sees what another one owns. */
    owner: string;
    requestId: string;
  };
}
