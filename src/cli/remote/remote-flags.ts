import { GloveboxError } from "../../errors.ts";
import { type MemoryTier, memoryTiers } from "../../server/containers/container-service.ts";
import type { AnalystRequest } from "../analyst-flags.ts";
import type { Arguments } from "../arguments.ts";
import { bytesAsFlag } from "../quantities.ts";

/** A server that answers in our place. */
export interface RemoteServer {
  /** Without /v1 and without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** What a new container gets. */
  readonly memory: MemoryTier | undefined;
}

export const remoteFlags = {
  server: { type: "string" },
  "api-key": { type: "string" },
} as const;

/** What a server has settled for itself, and where that is said instead. */
const settledThere: Readonly<Record<string, string>> = {
  tools: "tools of your own run on the machine that has the sandbox; leave it out",
  "base-url": "the server knows where its models are; leave it out",
  disk: "the server says how much a container holds; leave it out",
  sandbox: "the server has its own walls; leave it out",
  continue: "conversations with a server are not kept here; go on in its container with --session ID",
};

/** The server that --server names, once every other flag goes together with it. */
export function readRemoteServer(
  given: Arguments,
  request: AnalystRequest & { readonly format: string },
  env: NodeJS.ProcessEnv = process.env,
): RemoteServer | undefined {
  const address = given.value("server");
  if (address === undefined) {
    if (given.has("api-key")) throw usage("--api-key is the key of a server; name that with --server URL.");
    return undefined;
  }
  for (const [flag, why] of Object.entries(settledThere))
    if (given.has(flag)) throw usage(`--${flag} does not go with --server: ${why}.`);
  if (request.format === "csv") {
    throw usage(
      "--format csv does not go with --server: the table stays there; ask for a CSV file, it is downloaded.",
    );
  }
  const memory = memoryTier(request.limits.memoryBytes);
  if (memory && request.session !== undefined)
    throw usage("--memory does not go with --session: a container keeps the memory it was made with.");
  return { url: readAddress(address), apiKey: readKey(given.value("api-key"), env), memory };
}

function readAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname === "") {
    throw usage(
      `--server is ${JSON.stringify(text)}; give the address that "glovebox serve" prints, like http://127.0.0.1:8080.`,
    );
  }
  if (url.username !== "" || url.password !== "")
    throw usage("--server has a user or password in its address; give the key with --api-key instead.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}`;
}

/** The variable may name several, as it does for the server; a client shows the first. */
function readKey(text: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const key = text ?? env.GLOVEBOX_API_KEY?.trim().split(/\s+/)[0];
  if (text === undefined && (key === undefined || key === "")) return undefined;
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key;
  const from = text === undefined ? "GLOVEBOX_API_KEY" : "--api-key";
  throw usage(`${from} is empty or has characters that no API key has; copy it again.`);
}

/** The smallest that is enough. */
function memoryTier(bytes: number | undefined): MemoryTier | undefined {
  if (bytes === undefined) return undefined;
  const tier = memoryTiers.find((one) => Number.parseInt(one, 10) * 2 ** 30 >= bytes);
  if (tier) return tier;
  throw usage(`--memory is ${bytesAsFlag(bytes)}; a server gives a container at most ${memoryTiers.at(-1)}.`);
}

function usage(message: string): GloveboxError {
  return new GloveboxError("usage", message);
}
