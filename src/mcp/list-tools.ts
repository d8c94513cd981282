import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Offer } from "./offers.ts";
import { outputJsonSchema } from "./output-schemas.ts";

const OWN_SESSION =
  "Another session than this connection's own, by its name: letters, digits, - and _. A session of a name keeps its files.";
const NEW_SESSION =
  "The session to work in: the name that an earlier call was told, or a name of your own (letters, digits, - and _), whose " +
  "files are kept. Without one a new session is begun, and its name is told.";

const GO_ON = "Give session to go on in the one of an earlier call.";

/** The tools as a client is shown them. */
export function listTools(offers: readonly Offer[], { lasting }: { lasting: boolean }): McpTool[] {
  return offers.map(({ tool, title, annotations, output, session }) => ({
    name: tool.name,
    title,
    description: session === "none" || lasting ? tool.description : `${tool.description} ${GO_ON}`,
    inputSchema: inputSchema(
      tool.parameters,
      session === "none" ? undefined : lasting ? OWN_SESSION : NEW_SESSION,
    ),
    outputSchema: outputJsonSchema(output),
    annotations: { title, ...annotations },
  }));
}

function inputSchema(parameters: z.ZodType, session: string | undefined): McpTool["inputSchema"] {
  const { $schema: _, ...written } = z.toJSONSchema(parameters, { io: "input" });
  const own = session === undefined ? {} : { session: { type: "string", description: session } };
  return {
    ...written,
    type: "object",
    properties: { ...written.properties, ...own },
  } as McpTool["inputSchema"];
}
