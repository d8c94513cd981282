import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { Tool } from "./tool.ts";

const isFunction = z.custom<unknown>((value) => typeof value === "function");
const ToolShape = z.looseObject({
  name: z.string(),
  description: z.string(),
  parameters: z.custom<z.ZodType>((value) => isSchema(value), "is not a zod schema"),
  run: isFunction,
});

/** The tools that a module of the user's own exports. Their code runs on the host, as the user. */
export async function loadTools(path: string): Promise<Tool[]> {
  const url = pathToFileURL(resolve(path)).href;
  const module = await import(url).catch((cause) => {
    throw new GloveboxError("tool", `The tools in ${path} cannot be loaded: ${messageOf(cause)}`, { cause });
  });
  const exported = Object.entries(module as Record<string, unknown>);
  const tools = exported
    .filter(([, value]) => looksLikeTool(value))
    .map(([name, value]) => read(path, name, value));
  if (tools.length > 0) return tools;
  throw new GloveboxError(
    "tool",
    `${path} exports no tool; export an object with name, description, parameters (a zod schema) and run.`,
  );
}

function looksLikeTool(value: unknown): boolean {
  return typeof value === "object" && value !== null && "run" in value && "name" in value;
}

function read(path: string, name: string, value: unknown): Tool {
  const parsed = ToolShape.safeParse(value);
  if (parsed.success) return value as Tool;
  throw new GloveboxError("tool", `${name} in ${path} is not a tool: ${z.prettifyError(parsed.error)}`);
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "safeParse" in value && "_zod" in value;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
