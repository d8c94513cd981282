import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { memoryTiers } from "./containers/container-service.ts";

const MiB = 1 << 20;
const GiB = 1 << 30;
const bytes = z.number().int().positive();
const count = z.number().int().positive();
const milliseconds = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1);

/** What one key, and the server as a whole, may use. */
export const ServerLimits = z.strictObject({
  /** Of one uploaded file. */
  fileBytes: bytes.default(512 * MiB),
  /** Of a request that is JSON. */
  requestBytes: bytes.default(64 * MiB),
  /** Of a key's files, in containers and out of them. */
  storageBytesPerKey: bytes.default(50 * GiB),
  /** Containers that a key may have, alive or expired. */
  containersPerKey: count.default(10_000),
  /** Live Pythons of a key. */
  sessionsPerKey: count.default(250),
  /** Responses of a key at once; each runs one cell at a time. */
  runsPerKey: count.default(64),
  /** Size of /mnt/data in a container. */
  workBytes: bytes.min(MiB).default(512 * MiB),
  /** The highest memory_limit that a container may ask for. */
  memory: z.enum(memoryTiers).default("64g"),
  /** Wall time of one cell. */
  cellMs: milliseconds.default(60_000),
  connections: count.default(4_000),
  /** How long a client may take for the headers of a request. */
  headersMs: milliseconds.default(15_000),
  /** How long a client may send or take nothing while it is its turn to. */
  stalledMs: milliseconds.default(60_000),
  /** How long running responses get to end by themselves when the server is asked to end. */
  drainMs: milliseconds.default(20_000),
});
export type ServerLimits = z.infer<typeof ServerLimits>;

/** The least that makes guessing hopeless. */
const SHORTEST_KEY = 16;
const key = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "an API key is printable ASCII without spaces")
  .min(
    SHORTEST_KEY,
    `an API key has at least ${SHORTEST_KEY} characters; "openssl rand -hex 32" makes a good one`,
  )
  .max(512);
const name = z.string().min(1).max(64);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/i, "sha256 is 64 hexadecimal digits");

/** A key, or only its hash. One that has a name can be changed, and the new one sees what the old one made. */
export const ApiKey = z.union([
  key.transform((key) => ({ key })),
  z.strictObject({ name: name.optional(), key }),
  z.strictObject({ name: name.optional(), sha256 }),
]);
export type ApiKey = { readonly name?: string | undefined } & (
  | { readonly key: string }
  | { readonly sha256: string }
);

const origin = z.union([
  z.literal("*"),
  z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
    error: 'an origin is like "https://example.org", without a path',
  }),
]);

export const ServerConfig = z.strictObject({
  host: z.string().min(1).default("127.0.0.1"),
  port: z.number().int().min(0).max(65_535).default(8080),
  apiKeys: z.array(ApiKey).default([]),
  /** The model of requests that name none; GLOVEBOX_MODEL, or the offline analyst, where this is not given. */
  model: z.string().min(1).optional(),
  /** Names that clients use for models of ours, such as "gpt-4.1": "ollama/qwen3-coder"; "*" stands for any other. */
  modelAliases: z.record(z.string(), z.string().min(1)).default({}),
  /** Origins of pages whose scripts may call the server. */
  allowOrigins: z.array(origin).default([]),
  /** Host names besides localhost under which a server on loopback is reached, by way of a proxy. */
  allowHosts: z.array(z.string().min(1)).default([]),
  /** What the use of an expired container comes to: a new session with its files, or OpenAI's error. */
  containerExpired: z.enum(["revive", "error"]).default("revive"),
  /** Minutes without activity after which a container expires that says nothing about it. */
  containerMinutes: z.number().int().min(1).max(1440).default(20),
  limits: ServerLimits.prefault({}),
});
export type ServerConfig = z.infer<typeof ServerConfig>;

/** The settings with what is not given filled in; what cannot work is refused by its name. */
export function readServerConfig(given: unknown, from = "The server's configuration"): ServerConfig {
  const read = ServerConfig.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.length ? `"${issue.path.join(".")}": ` : "";
  throw new GloveboxError("usage", `${from} is not usable: ${where}${issue ? wordsOf(issue) : ""}.`);
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `there is no setting ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_union") return issue.message;
  const [inner] = issue.errors.flat().filter((each) => each.code !== "invalid_type");
  return inner ? wordsOf(inner as z.core.$ZodIssue) : issue.message;
}

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function checkWhoMay(config: ServerConfig): void {
  if (isLoopback(config.host) || config.apiKeys.length > 0) return;
  throw new GloveboxError(
    "usage",
    `A server on ${config.host} can be reached from other machines and needs an API key; give one with --api-key or GLOVEBOX_API_KEY ("openssl rand -hex 32" makes one), or listen on 127.0.0.1.`,
  );
}
