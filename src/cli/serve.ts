// read flags, environment and file → start, and say where → wait for a signal → drain; a second signal ends at once
import { GloveboxError } from "../errors.ts";
import { mcpHandler } from "../mcp/http.ts";
import type { AppExtras } from "../server/app.ts";
import { type RunningServer, startServer } from "../server/serve.ts";
import type { ServerConfig } from "../server/server-config.ts";
import { redactor } from "../telemetry/redact.ts";
import { exitStatus } from "./exit-status.ts";
import { Progress } from "./progress.ts";
import { SafeText } from "./safe-text.ts";
import { readServeRequest } from "./serve-request.ts";
import { reportSetup } from "./setup-progress.ts";
import type { Terminal } from "./terminal.ts";
import { packageVersion } from "./version.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Serves the API of OpenAI until it is asked to end. */
export async function serve(args: string[], terminal: Terminal): Promise<number> {
  const config = await readServeRequest(args);
  const asked = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    // The sandbox ends with this process.
    if (asked.signal.aborted)
      process.exit(signal === "SIGINT" ? exitStatus.interrupted : exitStatus.terminated);
    asked.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // Nobody reads our words any more; the work goes on.
  terminal.onReaderGone = () => {};
  try {
    const server = await start(config, terminal, asked.signal);
    if (!asked.signal.aborted)
      await new Promise((resolve) => asked.signal.addEventListener("abort", resolve));
    terminal.stderr.line("Ending: what runs may finish first. A second signal ends it at once.");
    await server.close();
    return exitStatus.well;
  } catch (error) {
    if (error instanceof GloveboxError && error.code === "aborted") return exitStatus.well;
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

async function start(config: ServerConfig, terminal: Terminal, signal: AbortSignal): Promise<RunningServer> {
  const { stdout, stderr } = terminal;
  const redact = redactor();
  const progress = new Progress(stderr);
  progress.wait("Starting the sandbox");
  try {
    const server = await startServer({
      config,
      signal,
      version: packageVersion(),
      mount: mountMcp,
      onProgress: (step) => reportSetup(progress, step),
      onLog: (line) => stderr.line(SafeText.whole(redact(line))),
    });
    progress.stop();
    stdout.line(`Glovebox serves at ${server.url}`);
    stdout.line(`OpenAI clients take ${server.url}/v1 as their base URL${keyWords(config)}.`);
    stdout.line(`MCP clients take ${server.url}/mcp.`);
    return server;
  } finally {
    progress.stop();
  }
}

/** MCP clients come in by the same door; their connections would keep a server that ends from ending. */
const mountMcp: NonNullable<AppExtras["mount"]> = (app, parts) => {
  const mcp = mcpHandler({ ...parts, version: packageVersion() });
  app.all("/mcp", (c) => mcp.fetch(c.req.raw, { owner: c.var.owner }));
  parts.draining.addEventListener("abort", () => void mcp.close(), { once: true });
};

function keyWords({ apiKeys }: ServerConfig): string {
  return apiKeys.length > 0 ? ", with one of your keys" : "; any API key will do";
}
