// A client that is about to be killed: starts the server, runs a cell without end, and says when it has begun.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { command, environment } from "./doors.ts";

const client = new Client({ name: "doomed", version: "1" });
await client.connect(
  new StdioClientTransport({
    ...command("--timeout", "600"),
    env: environment(process.env.GLOVEBOX_HOME ?? ""),
  }),
);
const code = [
  "import os, signal, time",
  "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))",
  "if os.fork() == 0:",
  "    os.setsid()",
  "    time.sleep(600)",
  "print('begun', flush=True)",
  "while True: pass",
].join("\n");
await client.callTool(
  { name: "python_repl", arguments: { code } },
  { onprogress: () => process.stdout.write("begun\n"), timeout: 600_000 },
);
