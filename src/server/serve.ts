// who may ask → the home is ours alone → the sandbox → the parts and the app → listen
// to end: nothing new → what runs may finish → what still runs is ended and marked → sessions close, their files stay
import type { Server as HttpServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Glovebox, openGlovebox } from "../compose.ts";
import { gloveboxHome } from "../config.ts";
import type { SetupProgress } from "../sandbox/environment/environment.ts";
import { lockHome } from "../store/home-lock.ts";
import { type AppExtras, makeApp } from "./app.ts";
import { type ComposedServer, type ComposeServerOptions, composeServer } from "./compose-server.ts";
import { listen } from "./listen.ts";
import { checkWhoMay, type ServerConfig } from "./server-config.ts";
import type { ServerParts } from "./server-parts.ts";

export interface StartServerOptions
  extends AppExtras,
    Pick<ComposeServerOptions, "openModel" | "now" | "onLog"> {
  readonly config: ServerConfig;
  readonly home?: string;
  /** One that is open already; it stays open when the server ends. */
  readonly box?: Glovebox;
  readonly onProgress?: (progress: SetupProgress) => void;
  /** Stops the start. */
  readonly signal?: AbortSignal;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly parts: ServerParts;
  /** Ends what has expired, as happens now and then by itself. */
  sweep(): Promise<void>;
  /** Lets running requests end, for as long as the configuration says, and then ends everything. */
  close(): Promise<void>;
}

/** How long what was told to end gets for it. */
const FAREWELL_MS = 5_000;
const IDLE_CHECK_MS = 50;

export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { config, home = gloveboxHome() } = options;
  checkWhoMay(config);
  const opened: (Disposable | AsyncDisposable)[] = [];
  const dispose = async () => {
    for (const one of opened.splice(0).reverse()) {
      if (Symbol.asyncDispose in one) await one[Symbol.asyncDispose]();
      else one[Symbol.dispose]();
    }
  };
  try {
    opened.push(await lockHome(home));
    const box = options.box ?? (await openBox(options, home));
    if (!options.box) opened.push(box);
    const server = await composeServer({ ...options, box, home });
    opened.push(server);
    const { url, server: http } = await listen(makeApp(server.parts, options), config);
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= end(http, server, config.limits.drainMs).finally(dispose));
    return { url, parts: server.parts, sweep: () => server.sweep(), close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function openBox(options: StartServerOptions, home: string): Promise<Glovebox> {
  const { onProgress, onLog, signal, config } = options;
  const { workBytes, cellMs } = config.limits;
  return openGlovebox({
    home,
    limits: { workBytes, timeoutMs: cellMs },
    ...(onProgress ? { onProgress } : {}),
    ...(onLog ? { onLog } : {}),
    ...(signal ? { signal } : {}),
  });
}

async function end(http: HttpServer, server: ComposedServer, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  server.drain();
  // A connection that is kept alive is idle again after its request, and then in the way.
  const idle = setInterval(() => http.closeIdleConnections(), IDLE_CHECK_MS);
  const finished = Promise.all([closed, server.parts.work.idle()]);
  await within(drainMs, finished);
  server.end();
  await within(FAREWELL_MS, finished);
  clearInterval(idle);
  http.closeAllConnections();
  await closed;
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: stop.signal }).catch(() => {});
  await Promise.race([work, late]);
  stop.abort();
}
