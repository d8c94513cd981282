import { z } from "zod";
import { type ContainerFileRecord, type ContainerRecord, memoryTiers } from "./container-service.ts";

/** A container as OpenAI's clients see it. */
export const ContainerObject = z.object({
  id: z.string(),
  object: z.literal("container"),
  name: z.string(),
  created_at: z.number().int(),
  status: z.enum(["running", "expired"]),
  last_active_at: z.number().int(),
  expires_after: z.object({ anchor: z.literal("last_active_at"), minutes: z.number().int() }),
  memory_limit: z.enum(memoryTiers),
  network_policy: z.object({ type: z.literal("disabled") }),
});
export type ContainerObject = z.infer<typeof ContainerObject>;

export const ContainerFileObject = z.object({
  id: z.string(),
  object: z.literal("container.file"),
  container_id: z.string(),
  created_at: z.number().int(),
  bytes: z.number().int(),
  path: z.string(),
  source: z.enum(["user", "assistant"]),
});
export type ContainerFileObject = z.infer<typeof ContainerFileObject>;

export function containerObject(record: ContainerRecord): ContainerObject {
  return {
    id: record.id,
    object: "container",
    name: record.name,
    created_at: seconds(record.createdMs),
    status: record.status,
    last_active_at: seconds(record.lastActiveMs),
    expires_after: { anchor: "last_active_at", minutes: record.expiresAfterMinutes },
    memory_limit: record.memoryLimit,
    network_policy: { type: "disabled" },
  };
}

export function containerFileObject(record: ContainerFileRecord): ContainerFileObject {
  return {
    id: record.id,
    object: "container.file",
    container_id: record.containerId,
    created_at: seconds(record.createdMs),
    bytes: record.bytes,
    path: record.path,
    source: record.source,
  };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
