import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import { clientOf, type ProviderOptions, requestOptions } from "./client.ts";
import { MemoryTier, ProviderId } from "./container-config.ts";
import { asking, expiredError } from "./refusal.ts";

const WireContainer = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  status: z.string(),
  created_at: z.number(),
  last_active_at: z.number().nullish(),
  memory_limit: MemoryTier.nullish().catch(undefined),
});

export interface Container {
  readonly id: string;
  readonly name: string;
  /** OpenAI's word for it, such as "running" or "expired". */
  readonly status: string;
  readonly expired: boolean;
  readonly createdAt: Date;
  readonly lastActiveAt?: Date;
  readonly memoryTier?: MemoryTier;
}

export interface CreateContainerOptions extends ProviderOptions {
  readonly name?: string;
  readonly memoryLimit?: MemoryTier;
  readonly fileIds?: readonly string[];
  readonly expiresAfterMinutes?: number;
}

export interface ListContainersOptions extends ProviderOptions {
  readonly name?: string;
  readonly order?: "asc" | "desc";
  /** How many at most; 100 unless told. */
  readonly limit?: number;
}

const MOST_A_PAGE = 100;

export async function createContainer(options: CreateContainerOptions = {}): Promise<Container> {
  const memory = checked(MemoryTier, options.memoryLimit ?? "1g", "memoryLimit");
  const fileIds = checked(z.array(ProviderId), options.fileIds ?? [], "fileIds");
  const minutes = options.expiresAfterMinutes;
  const client = await clientOf(options);
  const body = {
    name: options.name ?? "glovebox",
    memory_limit: memory,
    ...(fileIds.length > 0 ? { file_ids: fileIds } : {}),
    ...(minutes === undefined ? {} : { expires_after: { anchor: "last_active_at" as const, minutes } }),
  };
  const made = await asking({ what: "No container could be made", signal: options.signal }, () =>
    client.containers.create(body, requestOptions(options)),
  );
  return readContainer(made);
}

export async function retrieveContainer(id: string, options: ProviderOptions = {}): Promise<Container> {
  const containerId = checked(ProviderId, id, "The container's id");
  const client = await clientOf(options);
  const found = await asking(
    { what: `The container ${containerId} cannot be read`, containerId, signal: options.signal },
    () => client.containers.retrieve(containerId, requestOptions(options)),
  );
  return readContainer(found);
}

/** A container that can still be used; an expired one is an error. */
export async function liveContainer(id: string, options: ProviderOptions = {}): Promise<Container> {
  const container = await retrieveContainer(id, options);
  if (container.expired) throw expiredError(container.id);
  return container;
}

export async function listContainers(options: ListContainersOptions = {}): Promise<Container[]> {
  const limit = options.limit ?? MOST_A_PAGE;
  const client = await clientOf(options);
  const query = {
    limit: Math.min(limit, MOST_A_PAGE),
    ...(options.name ? { name: options.name } : {}),
    ...(options.order ? { order: options.order } : {}),
  };
  return asking({ what: "The containers cannot be listed", signal: options.signal }, async () => {
    const found: Container[] = [];
    if (limit < 1) return found;
    for await (const container of client.containers.list(query, requestOptions(options))) {
      found.push(readContainer(container));
      if (found.length >= limit) break;
    }
    return found;
  });
}

export async function deleteContainer(id: string, options: ProviderOptions = {}): Promise<void> {
  const containerId = checked(ProviderId, id, "The container's id");
  const client = await clientOf(options);
  await asking(
    { what: `The container ${containerId} cannot be deleted`, containerId, signal: options.signal },
    () => client.containers.delete(containerId, requestOptions(options)),
  );
}

function readContainer(answer: unknown): Container {
  const parsed = WireContainer.safeParse(answer);
  if (!parsed.success) {
    throw new GloveboxError(
      "model-protocol",
      "OpenAI's answer is not a container; check that OPENAI_BASE_URL has the containers API.",
      { cause: parsed.error },
    );
  }
  const { data } = parsed;
  return {
    id: data.id,
    name: data.name ?? "",
    status: data.status,
    expired: data.status === "expired" || data.status === "deleted",
    createdAt: new Date(data.created_at * 1000),
    ...(data.last_active_at ? { lastActiveAt: new Date(data.last_active_at * 1000) } : {}),
    ...(data.memory_limit ? { memoryTier: data.memory_limit } : {}),
  };
}

/** Reads a value of the caller's before it gets into a request. */
export function checked<T>(schema: z.ZodType<T>, given: unknown, what: string): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new GloveboxError("provider-tool", `${what} ${parsed.error.issues[0]?.message ?? "is not usable"}.`, {
    cause: parsed.error,
  });
}
