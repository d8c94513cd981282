import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import { type ChatFunctionSpec, chatSpec, type FunctionSpec, type ToolSpec } from "../protocol/tool-specs.ts";
import { strictForm } from "./strict-schema.ts";
import type { Tool } from "./tool.ts";

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** Name → tool: what a model may call. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.add(tool);
  }

  add(tool: Tool): void {
    if (this.#tools.has(tool.name)) {
      throw new GloveboxError("tool", `There is a tool "${tool.name}" already; give this one another name.`);
    }
    this.replace(tool);
  }

  replace(tool: Tool): void {
    if (!NAME.test(tool.name)) {
      throw new GloveboxError(
        "tool",
        `"${tool.name}" cannot name a tool; take a letter, then letters, digits, "_" and "-", at most 64.`,
      );
    }
    const hosted = tool.hosted && this.tools.find((other) => other.hosted && other.name !== tool.name);
    if (hosted) {
      throw new GloveboxError(
        "tool",
        `"${hosted.name}" and "${tool.name}" are both run by the provider, and their calls could not be told apart; take one.`,
      );
    }
    this.#tools.set(tool.name, tool);
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  /** As the Responses API declares them. */
  specs(): ToolSpec[] {
    return this.tools.map((tool) => tool.hosted?.() ?? functionSpec(tool));
  }

  /** As Chat Completions declares them; what a provider runs itself has no form there. */
  chatSpecs(): ChatFunctionSpec[] {
    return this.tools.filter((tool) => !tool.hosted).map((tool) => chatSpec(functionSpec(tool)));
  }

  /** Refuses a tool that another provider than this one runs. */
  checkProvider(provider: string): void {
    const foreign = this.tools.find((tool) => tool.provider !== undefined && tool.provider !== provider);
    if (!foreign) return;
    throw new GloveboxError(
      "provider-tool",
      `The tool "${foreign.name}" is run by ${foreign.provider}, but the model is of ${provider}; use a model of ${foreign.provider} or leave the tool out.`,
    );
  }
}

function functionSpec(tool: Tool): FunctionSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, { io: "input", target: "draft-7" });
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    ...strictForm(parameters),
  };
}
