import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import OpenAI from "openai";
import type { z } from "zod";
import { openGlovebox } from "../../src/compose.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type RunningServer, type StartServerOptions, startServer } from "../../src/server/serve.ts";
import { readServerConfig, type ServerConfig } from "../../src/server/server-config.ts";
import { openBoxAt } from "./test-home.ts";

export type TestConfig = z.input<typeof import("../../src/server/server-config.ts").ServerConfig>;

export interface TestServer extends RunningServer {
  readonly home: string;
  /** What the server wrote to its log. */
  readonly log: readonly string[];
  client(apiKey?: string): OpenAI;
}

export interface TestServerOptions extends Partial<Omit<StartServerOptions, "config">> {
  readonly config?: TestConfig;
  /** False where no cell is run: the server starts without Python then. */
  readonly python?: boolean;
}

/** For tests that open no session. */
const noSandbox: Sandbox = {
  name: "none",
  open: async () => {
    throw new Error("this test has no sandbox");
  },
  close: async () => {},
};

/** A server on loopback with a home of its own, which ends with the test file. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { config, python = false, ...rest } = options;
  const home = options.home ?? (await emptyHome());
  const log: string[] = [];
  const onLog = (line: string) => void log.push(line);
  const box = python ? await openBoxAt(home) : await openGlovebox({ home, sandbox: noSandbox, onLog });
  const server = await startServer({
    onLog,
    ...rest,
    home,
    box,
    config: testConfig(config),
  });
  const close = async () => {
    await server.close();
    await box.close();
  };
  after(close);
  return { ...server, close, home, log, client: (apiKey = "any") => clientOf(server.url, apiKey) };
}

export function testConfig(config: TestConfig = {}): ServerConfig {
  return readServerConfig({ port: 0, ...config, limits: { drainMs: 2_000, ...config.limits } });
}

/** The stock client, which asks only once. */
export function clientOf(url: string, apiKey = "any"): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
}

export async function emptyHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "glovebox-server-"));
  after(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** What a call of the stock client fails with. */
export async function failureOf(
  call: Promise<unknown>,
): Promise<{ status: number | undefined; error: unknown; headers: Headers | undefined }> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    return { status: error.status, error: error.error, headers: error.headers };
  }
  throw new Error("the call succeeded");
}

/** A clock that stands until it is moved. */
export function standingClock(startMs = 1_800_000_000_000): { now: () => number; forward(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    forward: (ms) => {
      nowMs += ms;
    },
  };
}
