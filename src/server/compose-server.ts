// the owners of keys → the files → the containers → what a killed server left is removed → the parts, and their sweeps
import type { Glovebox } from "../compose.ts";
import type { Model } from "../models/model.ts";
import { offlineAnalyst } from "../models/offline/offline-analyst.ts";
import { openModel } from "../models/open-model.ts";
import { BackgroundWork } from "./background-work.ts";
import { SessionContainers } from "./containers/session-containers.ts";
import { StoredFiles } from "./files/stored-files.ts";
import { Metrics } from "./metrics.ts";
import { resolveModelName } from "./model-names.ts";
import { Owners } from "./owner.ts";
import { OwnerLimits } from "./owner-limits.ts";
import { OwnerStorage } from "./owner-storage.ts";
import type { ServerConfig } from "./server-config.ts";
import type { ServerParts } from "./server-parts.ts";

export interface ComposeServerOptions {
  readonly box: Glovebox;
  readonly home: string;
  readonly config: ServerConfig;
  readonly openModel?: (name: string | undefined) => Promise<Model>;
  readonly now?: () => number;
  readonly onLog?: (line: string) => void;
}

export interface ComposedServer extends AsyncDisposable {
  readonly parts: ServerParts;
  /** Nothing new begins from now on. */
  drain(): void;
  /** Whatever still runs ends now. */
  end(): void;
  /** Ends sessions that have expired and removes files that have; it happens now and then by itself. */
  sweep(): Promise<void>;
}

const SWEEP_MS = 15_000;

export async function composeServer(options: ComposeServerOptions): Promise<ComposedServer> {
  const { box, home, config, now = Date.now, onLog = () => {} } = options;
  const { store } = box;
  const storage = new OwnerStorage(store, config.limits.storageBytesPerKey);
  const files = new StoredFiles({ store, storage, mostBytes: config.limits.fileBytes, now });
  const containers = new SessionContainers({ box, home, config, files, storage, now, onLog });
  const owners = await Owners.open(config.apiKeys, store.keys, now);
  await store.blobs.sweep(await store.files.referred());
  await containers.recover();
  const metrics = new Metrics();
  metrics.gauge("glovebox_sessions", "Sessions that are alive.", () => containers.sessionCount);
  const draining = new AbortController();
  const ending = new AbortController();
  const parts: ServerParts = {
    box,
    home,
    config,
    openModel:
      options.openModel ?? ((name) => openModel(resolveModelName(name, config), { offline: offlineAnalyst })),
    containers,
    files,
    owners,
    limits: new OwnerLimits({ runs: config.limits.runsPerKey }),
    metrics,
    work: new BackgroundWork(),
    draining: draining.signal,
    ending: ending.signal,
    now,
    onLog,
  };
  const sweep = async () => {
    await containers.sweep();
    await files.sweep();
  };
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => onLog(`What has expired was not removed: ${error}`));
  }, SWEEP_MS).unref();
  return {
    parts,
    drain: () => draining.abort(),
    end: () => ending.abort(),
    sweep,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await containers.close();
    },
  };
}
