import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { Frame } from "./frames.ts";
import { PythonResult } from "./result.ts";

const count = z.number().int().nonnegative();
const request = { request: count };

export const Limits = z.object({
  memory_bytes: z
    .number()
    .int()
    .min(64 << 20),
  work_bytes: z
    .number()
    .int()
    .min(1 << 20),
  tmp_bytes: z
    .number()
    .int()
    .min(1 << 20),
  processes: z.number().int().min(1),
});
export type Limits = z.infer<typeof Limits>;

export const Walls = z.object({
  mode: z.enum(["root", "user", "container", "landlock"]),
  cgroup: z.enum(["v1", "v2", "none"]),
  ...Limits.shape,
});
/** The walls and limits that are in force around a session. */
export type Walls = z.infer<typeof Walls>;

/** What the host may say. */
export type HostMessage =
  | ({ type: "open"; mounts: { source: string; target: string }[] } & Limits)
  | { type: "run"; cell: number; timeout_ms: number }
  | { type: "interrupt"; cell: number; kill: boolean }
  | { type: "put"; request: number; path: string }
  | { type: "put-next"; request: number; handle: number }
  | { type: "put-end"; request: number; handle: number; keep: boolean }
  | { type: "get"; request: number; path: string }
  | { type: "get-next"; request: number; handle: number }
  | { type: "get-end"; request: number; handle: number }
  | { type: "list"; request: number }
  | { type: "remove"; request: number; path: string }
  | { type: "variables"; request: number }
  | { type: "mark"; request: number; mark: number }
  | { type: "return"; request: number; mark: number }
  | { type: "unmark"; request: number; mark: number };

/** What the kernel may say; the twin of kernel/glovebox_kernel/wire/messages.py. */
export const KernelMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), walls: Walls }),
  z.object({ type: z.literal("refused"), message: z.string() }),
  z.object({ type: z.literal("stdout"), cell: count }),
  z.object({ type: z.literal("stderr"), cell: count }),
  z.object({
    type: z.literal("display"),
    cell: count,
    of_result: z.boolean(),
    parts: z.array(z.object({ mime: z.string(), bytes: count })),
  }),
  z.object({
    type: z.literal("result"),
    cell: count,
    result: PythonResult,
    duration_ms: z.number().nonnegative(),
    changes: z.object({
      changed: z.array(z.tuple([z.string(), count])),
      removed: z.array(z.string()),
    }),
  }),
  z.object({ type: z.literal("reply"), ...request, value: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal("failed"), ...request, code: z.string(), message: z.string() }),
]);
export type KernelMessage = z.infer<typeof KernelMessage>;

export function parseKernelMessage(frame: Frame): KernelMessage {
  const parsed = KernelMessage.safeParse(frame.header);
  if (parsed.success) return parsed.data;
  throw new GloveboxError(
    "kernel-protocol",
    `The kernel sent a message "${frame.header.type.slice(0, 40)}" of another shape; its session is ended.`,
    { cause: parsed.error },
  );
}
