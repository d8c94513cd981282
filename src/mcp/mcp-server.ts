import { Server } from "@modelcontextprotocol/server";
import type { NoteStore } from "../store/notes.ts";
import { type CallParts, callTool } from "./call-tool.ts";
import type { HeldSession } from "./held-session.ts";
import { instructionsFor } from "./instructions.ts";
import { listTools } from "./list-tools.ts";
import type { Made } from "./made-content.ts";
import { offers } from "./offers.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";

export interface McpServerParts extends Omit<CallParts, "offers" | "onMade"> {
  readonly version: string;
  /** Notes are everybody's who may see them. */
  readonly notes: NoteStore | undefined;
  /** Somebody looks at the tools, and is about to use them. */
  readonly onListed?: (() => void) | undefined;
  /** Told of the files of a call before it is answered. */
  readonly noteFiles?: ((held: HeldSession, made: Made) => Promise<void>) | undefined;
  /** Says that there are other files now, where this instance has no connection to say it on. */
  readonly onFilesChanged?: (() => void) | undefined;
}

/** Glovebox as MCP has it: tools, and the files of sessions as resources. One instance serves one connection or request. */
export function makeMcpServer(parts: McpServerParts): Server {
  const { desk } = parts;
  const server = new Server(
    { name: "glovebox", title: "Glovebox", version: parts.version },
    {
      capabilities: { tools: {}, resources: { listChanged: true } },
      instructions: instructionsFor(desk),
    },
  );
  const offered = offers({
    notes: parts.notes,
    reset: async (session) =>
      desk
        .held()
        .find((held) => held.holds(session))
        ?.reset(),
  });
  server.setRequestHandler("tools/list", () => {
    parts.onListed?.();
    return { tools: listTools(offered, desk) };
  });
  const onMade: CallParts["onMade"] = async (held, made) => {
    await parts.noteFiles?.(held, made);
    if (parts.onFilesChanged) parts.onFilesChanged();
    else await server.sendResourceListChanged();
  };
  server.setRequestHandler("tools/call", (request, context) =>
    callTool(request, context, { ...parts, offers: offered, onMade }),
  );
  server.setRequestHandler("resources/list", ({ params }) => listResources(desk, params?.cursor));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler("resources/read", ({ params }) => readResource(desk, params.uri));
  server.onerror = (error) => parts.onLog(`MCP: ${error.message}`);
  return server;
}
