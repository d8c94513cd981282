import { randomBytes } from "node:crypto";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Analyst } from "./agent/analyst.ts";
import type { AnalystOptions } from "./compose-analyst.ts";
import { defaultLimits, gloveboxHome, resolveLimits, type SessionLimits } from "./config.ts";
import { GloveboxError } from "./errors.ts";
import type { ImageSource } from "./sandbox/docker/image.ts";
import { ensureEnvironment } from "./sandbox/environment/ensure.ts";
import type { PythonEnvironment, SetupProgress } from "./sandbox/environment/environment.ts";
import { findEnvironment } from "./sandbox/environment/find.ts";
import { LocalSandbox } from "./sandbox/local/local-sandbox.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { type HostMount, resolveMounts } from "./session/host-mount.ts";
import { Session } from "./session/session.ts";
import { scratchFolder, sweepScratch } from "./store/scratch.ts";
import { SessionFolder } from "./store/session-folder.ts";
import { embeddedStore, type Store } from "./store/store.ts";

export interface GloveboxOptions {
  readonly home?: string;
  /** The walls: "auto" takes containers where local ones cannot be raised. */
  readonly sandbox?: SandboxName | Sandbox;
  /** How containers are run: docker or podman, a runtime such as "runsc", an image to build on. */
  readonly docker?: DockerChoice;
  /** Limits of sessions that name none of their own. */
  readonly limits?: Partial<SessionLimits>;
  /** How many sessions are forked ahead of need. */
  readonly pool?: number;
  /** Threads that native libraries may use in a session. */
  readonly cpus?: number;
  /** False leaves control groups alone; the supervisor's own watch over memory stays. */
  readonly cgroups?: boolean;
  readonly onProgress?: (progress: SetupProgress) => void;
  readonly onLog?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export type SandboxName = "local" | "docker" | "auto";

export interface DockerChoice {
  readonly command?: string;
  readonly runtime?: string;
  readonly base?: string;
}

export interface SessionOptions {
  /** A session of the same id finds its files again; without one they go when it is closed. */
  readonly id?: string;
  readonly limits?: Partial<SessionLimits>;
  /** Files and folders of the host that the session reads in place, for inputs too large to copy. */
  readonly mounts?: readonly HostMount[];
}

export interface Glovebox extends AsyncDisposable {
  /** A new session. Nothing is started before its first use. */
  session(options?: SessionOptions): Promise<Session>;
  /** Answers questions about files with a model, tools and a session. */
  analyst(options: AnalystOptions): Promise<Analyst>;
  /** What outlives the process: conversations, notes, tools that models defined. */
  readonly store: Store;
  close(): Promise<void>;
}

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
export const kernelFolder: string = join(packageFolder, "kernel");
export const lockFile: string = join(kernelFolder, "requirements.lock");
export const imageSource: ImageSource = {
  kernelFolder,
  lockFile,
  dockerfile: join(packageFolder, "docker", "Dockerfile"),
};

/** Makes sure of the Python environment, raises the walls once to see that they hold, and is then ready for sessions. */
export async function openGlovebox(options: GloveboxOptions = {}): Promise<Glovebox> {
  const home = options.home ?? gloveboxHome();
  const limits = resolveLimits(options.limits ?? {});
  const sandbox = await makeSandbox(options, home, limits);
  await sweepScratch(home);
  const sessions = new Set<Session>();
  const store = embeddedStore({ home, ...(options.onLog ? { onLog: options.onLog } : {}) });
  const close = async () => {
    await Promise.allSettled([...sessions].map((session) => session.close()));
    await sandbox.close();
    await store.close();
    // Another Glovebox of this process may have sessions there.
    await rmdir(scratchFolder(home)).catch(() => {});
  };
  return {
    async session(wanted: SessionOptions = {}) {
      const id = wanted.id ?? `s${randomBytes(12).toString("hex")}`;
      const session: Session = new Session({
        id,
        sandbox,
        folder: new SessionFolder(
          join(wanted.id ? join(home, "sessions") : scratchFolder(home), checkId(id)),
        ),
        limits: resolveLimits({ ...limits, ...wanted.limits }),
        mounts: await resolveMounts(wanted.mounts ?? []),
        keepFiles: wanted.id !== undefined,
        onClose: () => sessions.delete(session),
      });
      sessions.add(session);
      return session;
    },
    // Its code is read only when it is used.
    analyst: async (wanted) => (await import("./compose-analyst.ts")).composeAnalyst({ home, store }, wanted),
    store,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function makeSandbox(options: GloveboxOptions, home: string, limits: SessionLimits): Promise<Sandbox> {
  if (typeof options.sandbox === "object") return options.sandbox;
  if (options.sandbox === "docker") return dockerSandbox(options, limits);
  try {
    return await localSandbox(options, home, limits);
  } catch (error) {
    if (options.sandbox !== "auto" || !cannotBeRaised(error)) throw error;
    return await dockerSandbox(options, limits).catch((second: unknown) => {
      const both = `${error.message}\nContainers cannot be used either: ${second instanceof Error ? second.message : second}`;
      throw new GloveboxError("sandbox-unavailable", both, { cause: second });
    });
  }
}

function cannotBeRaised(error: unknown): error is GloveboxError {
  return (
    error instanceof GloveboxError && (error.code === "sandbox-unavailable" || error.code === "environment")
  );
}

async function localSandbox(options: GloveboxOptions, home: string, limits: SessionLimits): Promise<Sandbox> {
  const sandbox = new LocalSandbox({
    environment: await pythonEnvironment(home, options),
    kernelFolder,
    cacheFolder: join(home, "cache"),
    cgroups: options.cgroups ?? true,
    ...sandboxParts(options, limits),
  });
  await sandbox.warm();
  return sandbox;
}

/** Its code is read only when it is used. */
async function dockerSandbox(options: GloveboxOptions, limits: SessionLimits): Promise<Sandbox> {
  const { DockerSandbox } = await import("./sandbox/docker/docker-sandbox.ts");
  const { imageTag } = await import("./sandbox/docker/image.ts");
  const { base, ...engine } = options.docker ?? {};
  const image = await imageTag({ ...imageSource, ...(base ? { base } : {}) });
  const sandbox = new DockerSandbox({ ...engine, image, ...sandboxParts(options, limits) });
  try {
    await sandbox.warm(options.signal);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function sandboxParts(options: GloveboxOptions, limits: SessionLimits) {
  return {
    limits: {
      memory_bytes: limits.memoryBytes,
      work_bytes: limits.workBytes,
      tmp_bytes: limits.tmpBytes,
      processes: limits.processes,
    },
    pool: options.pool ?? 2,
    cpus: options.cpus ?? 1,
    ...(options.onLog ? { onLog: options.onLog } : {}),
  };
}

export async function pythonEnvironment(
  home: string,
  options: Pick<GloveboxOptions, "onProgress" | "signal"> = {},
): Promise<PythonEnvironment> {
  const found = await findEnvironment({ home, lockFile });
  if (found) return found;
  return ensureEnvironment({
    home,
    lockFile,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

function checkId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id)) return id;
  throw new GloveboxError(
    "usage",
    `The session id "${id}" is not usable; take letters, digits, "-" and "_", at most 64.`,
  );
}

export { defaultLimits };
