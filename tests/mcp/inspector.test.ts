import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { start, temporaryHome } from "../cli/glovebox.ts";
import { openTestBox } from "../support/box.ts";
import { command } from "./doors.ts";
import { openHttpHost } from "./http-host.ts";

/** The program `mcp-inspector` of @modelcontextprotocol/inspector, which is too heavy to come with the project. */
const inspector = process.env.GLOVEBOX_MCP_INSPECTOR;
const skip = inspector ? false : "GLOVEBOX_MCP_INSPECTOR names no inspector";

describe("The command line of the MCP inspector", { skip, timeout: 300_000 }, () => {
  test("lists and calls the tools over stdio", async () => {
    const home = await temporaryHome();
    const { command: program, args } = command();
    await assertUsable(["-e", `GLOVEBOX_HOME=${home}`, program, ...args]);
  });

  test("lists and calls the tools over HTTP", async () => {
    const box = await openTestBox({ home: await temporaryHome() });
    const { url } = await openHttpHost({ box });
    await assertUsable([url.href, "--transport", "http"]);
  });
});

async function assertUsable(server: string[]): Promise<void> {
  const listed = await inspect([...server, "--method", "tools/list"]);
  const names = (listed.tools as { name: string }[]).map(({ name }) => name);
  assert.ok(names.includes("python_repl"));
  const call = ["--method", "tools/call", "--tool-name", "python_repl", "--tool-arg", "code=6 * 7"];
  const called = await inspect([...server, ...call]);
  assert.equal((called.structuredContent as { json: unknown }).json, 42);
}

async function inspect(args: string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await start(process.execPath, [inspector ?? "", "--cli", ...args]);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}
