// what the file says → the environment over it → the flags over both → one configuration, checked as a whole
import { readFile } from "node:fs/promises";
import { GloveboxError } from "../errors.ts";
import { readServerConfig, type ServerConfig } from "../server/server-config.ts";
import { type Arguments, readArguments, refuseWords } from "./arguments.ts";
import { notEmpty } from "./session-flags.ts";

const flags = {
  host: { type: "string" },
  port: { type: "string" },
  "api-key": { type: "string" },
  model: { type: "string", short: "m" },
  "allow-origin": { type: "string" },
  "allow-host": { type: "string" },
  "container-expired": { type: "string" },
  config: { type: "string" },
} as const;

export async function readServeRequest(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ServerConfig> {
  const given = readArguments("serve", args, flags);
  refuseWords("serve", given);
  const file = given.value("config");
  const settings = file === undefined ? {} : await readConfigFile(notEmpty("--config", file));
  return readServerConfig(
    { ...settings, ...fromEnvironment(env), ...fromFlags(given) },
    file === undefined ? "The server's configuration" : `The configuration with ${file}`,
  );
}

async function readConfigFile(path: string): Promise<object> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new GloveboxError("usage", `--config: "${path}" cannot be read; check the path.`, { cause });
  });
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch (cause) {
    throw new GloveboxError("usage", `--config: "${path}" is not JSON: ${(cause as Error).message}.`, {
      cause,
    });
  }
  if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return settings;
  throw new GloveboxError(
    "usage",
    `--config: "${path}" holds no JSON object; write {"port": 8080} or the like.`,
  );
}

function fromEnvironment(env: NodeJS.ProcessEnv): object {
  const keys = (env.GLOVEBOX_API_KEY ?? "").split(/\s+/).filter(Boolean);
  return {
    ...(env.GLOVEBOX_HOST ? { host: env.GLOVEBOX_HOST } : {}),
    ...(env.GLOVEBOX_PORT ? { port: readPort("GLOVEBOX_PORT", env.GLOVEBOX_PORT) } : {}),
    ...(keys.length > 0 ? { apiKeys: keys } : {}),
  };
}

function fromFlags(given: Arguments): object {
  const { host, port, model } = {
    host: given.value("host"),
    port: given.value("port"),
    model: given.value("model"),
  };
  return {
    ...(host === undefined ? {} : { host: notEmpty("--host", host, "an address") }),
    ...(port === undefined ? {} : { port: readPort("--port", port) }),
    ...(model === undefined ? {} : { model: notEmpty("--model", model, "a name") }),
    ...(given.has("api-key") ? { apiKeys: given.values("api-key") } : {}),
    ...(given.has("allow-origin") ? { allowOrigins: given.values("allow-origin") } : {}),
    ...(given.has("allow-host") ? { allowHosts: given.values("allow-host") } : {}),
    ...(given.has("container-expired") ? { containerExpired: given.value("container-expired") } : {}),
  };
}

function readPort(what: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new GloveboxError("usage", `${what} is ${JSON.stringify(text)}; give a number from 0 to 65535.`);
}
