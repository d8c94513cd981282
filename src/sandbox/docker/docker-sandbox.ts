// Every session in a container of its own: find the engine and the image → clear what killed processes left →
// start a few containers ahead → give one to each session → remove it when its stream ends.
import type { Duplex } from "node:stream";
import { GloveboxError } from "../../errors.ts";
import type { Limits } from "../../protocol/messages.ts";
import type { KernelShape, Sandbox } from "../sandbox.ts";
import { Container, removeContainer } from "./container.ts";
import { newContainerName } from "./container-name.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { hasFewAccounts } from "./few-accounts.ts";
import { removeLeftovers } from "./leftovers.ts";
import { WarmPool } from "./warm-pool.ts";

export interface DockerSandboxOptions extends EngineOptions {
  /** The kernel's image; see imageTag and buildImage. */
  readonly image: string;
  /** The shape of session that containers are started ahead for. */
  readonly limits: Limits;
  /** How many containers are started ahead of need. */
  readonly pool: number;
  /** Processors of a session, and threads that its native libraries may use. */
  readonly cpus: number;
  /** Another runtime of the engine, such as "runsc" (gVisor). */
  readonly runtime?: string;
  readonly onLog?: (line: string) => void;
}

export class DockerSandbox implements Sandbox {
  readonly name = "docker";
  readonly #options: DockerSandboxOptions;
  readonly #engine: Engine;
  readonly #pool: WarmPool;
  /** Every container that is not removed yet, and its removal once that has begun. */
  readonly #live = new Map<Container, Promise<void> | undefined>();
  /** Containers that could not be removed because the engine did not answer. */
  readonly #unremoved = new Set<string>();
  #fewAccounts = false;
  #prepared: Promise<void> | undefined;
  #closed = false;

  constructor(options: DockerSandboxOptions) {
    this.#options = options;
    this.#engine = new Engine(options);
    this.#pool = new WarmPool(options.pool, () => this.#start({ ...options.limits, mounts: [] }));
  }

  /** Starts a first container ahead; throws when there is no engine, no image, or no container can be had. */
  async warm(signal?: AbortSignal): Promise<void> {
    await this.#prepare(signal);
    if (this.#options.pool === 0) return;
    void this.#pool.refill();
    const [first] = this.#live.keys();
    if (!first) return;
    await this.#ready(first, signal);
    first.keepsProcessAlive(false);
  }

  async open(shape: KernelShape, signal?: AbortSignal): Promise<Duplex> {
    await this.#prepare(signal);
    void this.#removeUnremoved();
    const ahead = this.#isUsual(shape) ? await this.#fromPool(signal) : undefined;
    const container = ahead ?? (await this.#ready(this.#start(shape), signal));
    this.#pool.refillSoon();
    return container.stream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pool.close();
    while (this.#live.size > 0) await Promise.all([...this.#live.keys()].map((each) => this.#end(each)));
    await this.#removeUnremoved();
    if (this.#unremoved.size > 0) {
      this.#options.onLog?.(`Not removed, the engine does not answer: ${[...this.#unremoved].join(", ")}`);
    }
  }

  /** Once, unless it fails: then again with the next session. */
  async #prepare(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#closed) {
      throw new GloveboxError("sandbox-unavailable", "This Glovebox is closed; open another one.");
    }
    this.#prepared ??= this.#look().catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    await this.#prepared;
  }

  async #look(): Promise<void> {
    // The engine first: where it does not answer, nothing else says why as well.
    this.#fewAccounts = await hasFewAccounts(this.#engine);
    await this.#engine.run(["image", "inspect", "--format", "{{.Id}}", this.#options.image]);
    await removeLeftovers(this.#engine);
  }

  #start(shape: KernelShape): Container {
    const { image, runtime, cpus, onLog } = this.#options;
    const settings = {
      image,
      runtime,
      cpus,
      name: newContainerName(),
      fewAccounts: this.#fewAccounts,
      limitsFiles: !this.#engine.isPodman,
    };
    const container = new Container(this.#engine, shape, settings, onLog);
    this.#live.set(container, undefined);
    container.stream.once("close", () => void this.#end(container));
    return container;
  }

  async #fromPool(signal: AbortSignal | undefined): Promise<Container | undefined> {
    const container = this.#pool.take();
    if (!container) return undefined;
    try {
      return await this.#ready(container, signal);
    } catch (error) {
      // A daemon that was restarted has ended it; a fresh one tells better whether there is trouble.
      signal?.throwIfAborted();
      if (this.#closed) throw error;
      return undefined;
    }
  }

  async #ready(container: Container, signal: AbortSignal | undefined): Promise<Container> {
    container.keepsProcessAlive(true);
    const abort = () => container.stream.destroy();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await container.ready;
      signal?.throwIfAborted();
      if (!container.over) return container;
      throw new GloveboxError(
        "sandbox-unavailable",
        "The container ended as soon as it had started; try again.",
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #end(container: Container): Promise<void> {
    const begun = this.#live.get(container);
    if (begun || !this.#live.has(container)) return begun ?? Promise.resolve();
    const ending = container.remove().then((removed) => {
      this.#live.delete(container);
      if (!removed) this.#unremoved.add(container.name);
    });
    this.#live.set(container, ending);
    return ending;
  }

  async #removeUnremoved(): Promise<void> {
    const names = [...this.#unremoved];
    this.#unremoved.clear();
    await Promise.all(
      names.map(async (name) => {
        if (!(await removeContainer(this.#engine, name))) this.#unremoved.add(name);
      }),
    );
  }

  #isUsual(shape: KernelShape): boolean {
    const { limits } = this.#options;
    const same = (Object.keys(limits) as (keyof Limits)[]).every((name) => shape[name] === limits[name]);
    return same && shape.mounts.length === 0;
  }
}
