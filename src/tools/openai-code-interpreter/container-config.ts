import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import type { HostMount } from "../../session/host-mount.ts";

export const memoryTiers = ["1g", "4g", "16g", "64g"] as const;
export const MemoryTier = z.enum(memoryTiers, { error: `must be one of ${memoryTiers.join(", ")}` });
export type MemoryTier = z.infer<typeof MemoryTier>;

const MAX_FILE_IDS = 50;
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$/;

/** An id that may stand in a request's path; those in answers are checked as those in settings are. */
export const ProviderId = z
  .string({ error: "must be an id as OpenAI gave it" })
  .regex(ID, { error: "must be an id as OpenAI gave it: letters, digits, _ and -" });

const Mount: z.ZodType<HostMount> = z.strictObject({
  hostPath: z.string().min(1),
  mountPath: z.string().min(1),
  includeGlobs: z.array(z.string().min(1)).optional(),
  excludeGlobs: z.array(z.string().min(1)).optional(),
  maxBytes: z.int().positive().optional(),
}) as z.ZodType<HostMount>;

const AutoContainer = z.strictObject({
  type: z.literal("auto"),
  memory_limit: MemoryTier.default("1g"),
  file_ids: z
    .array(ProviderId)
    .max(MAX_FILE_IDS, {
      error: `takes at most ${MAX_FILE_IDS} files; upload further ones into the container`,
    })
    .optional(),
  /** Files of the host that are copied into the container before the first request. */
  host_mounts: z.array(Mount).optional(),
});

const ExistingContainer = z.strictObject({ id: ProviderId, memory_limit: MemoryTier.optional() });

export type AutoContainerConfig = z.infer<typeof AutoContainer>;
export type ExistingContainerRef = z.infer<typeof ExistingContainer>;
export type ContainerConfig = AutoContainerConfig | ExistingContainerRef;
/** A container as it is written in settings; what is left out has its default. */
export type ContainerInput = z.input<typeof AutoContainer> | z.input<typeof ExistingContainer>;

/** Refuses what OpenAI would refuse, before anything is asked of it. */
export function parseContainer(given: unknown): ContainerConfig {
  if (typeof given !== "object" || given === null || !("type" in given || "id" in given)) {
    throw new GloveboxError(
      "provider-tool",
      'The code interpreter has no container; give { type: "auto" } for a new one or { id: "cntr_…" } for one that exists.',
    );
  }
  const parsed = ("type" in given ? AutoContainer : ExistingContainer).safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = ["container", ...(issue?.path ?? [])].join(".");
  throw new GloveboxError(
    "provider-tool",
    `The code interpreter's settings cannot be used: ${where}: ${issue?.message ?? "not understood"}.`,
    { cause: parsed.error },
  );
}
