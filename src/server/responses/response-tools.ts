import { z } from "zod";
import type { CellResult } from "../../protocol/result.ts";
import type { FunctionSpec } from "../../protocol/tool-specs.ts";
import { listCsvFiles } from "../../tools/list-csv-files.ts";
import { loadCsvHandle } from "../../tools/load-csv-handle.ts";
import { pythonRepl } from "../../tools/python-repl.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import type { Tool, ToolContext, ToolResult } from "../../tools/tool.ts";
import type { Metrics } from "../metrics.ts";
import { unsupported, WireError } from "../wire-error.ts";
import { cellOutputs } from "./cell-outputs.ts";
import type { HostedCalls } from "./hosted-calls.ts";
import type { HostedContainer } from "./hosted-container.ts";
import type { FunctionTool, RequestTool, RequestToolChoice } from "./request.ts";

export interface ResponseToolsParts {
  readonly tools: readonly RequestTool[];
  readonly choice: RequestToolChoice;
  readonly container: HostedContainer | undefined;
  readonly calls: HostedCalls;
  /** The rule-based analyst reads tables with tools of its own. */
  readonly withTables: boolean;
  readonly metrics?: Metrics;
  /** Told of what must end the response: no model can mend it. */
  readonly stop: (error: WireError) => void;
}

/** Names for Python, the first that no function of the client has. */
const PYTHON_NAMES = [pythonRepl.name, "python", "code_interpreter", "glovebox_python"];

const REFUSED = {
  kind: "error",
  name: "LimitReached",
  message: "No further code is run in this response; answer with what you know.",
};

export function pythonName(tools: readonly RequestTool[]): string {
  const taken = new Set(tools.flatMap((tool) => (tool.type === "function" ? [tool.name] : [])));
  return PYTHON_NAMES.find((name) => !taken.has(name)) ?? pythonRepl.name;
}

/** What the model may call: Python in the container, and the client's functions, as far as the client allows. */
export function responseTools(parts: ResponseToolsParts): ToolRegistry {
  const { tools, choice, container, withTables } = parts;
  checkChoice(tools, choice);
  const allowed = allowedTools(tools, choice);
  const registry = new ClientAwareRegistry();
  if (container && allowed.some((tool) => tool.type === "code_interpreter")) {
    registry.add(inContainer(pythonRepl, container, parts, pythonName(tools)));
    if (withTables)
      for (const tool of [listCsvFiles, loadCsvHandle]) registry.add(inContainer(tool, container, parts));
  }
  for (const [at, tool] of tools.entries()) {
    if (tool.type !== "function" || !allowed.includes(tool)) continue;
    if (registry.get(tool.name))
      throw unsupported(`tools[${at}].name`, `There are two tools of the name '${tool.name}'; rename one.`);
    registry.addFunction(tool);
  }
  return registry;
}

/** Functions of clients are declared to the model as the client wrote them. */
class ClientAwareRegistry extends ToolRegistry {
  readonly #declared = new Map<string, FunctionSpec>();

  addFunction(tool: FunctionTool): void {
    this.#declared.set(tool.name, functionSpec(tool));
    super.replace(clientFunction(tool));
  }

  override specs(): ReturnType<ToolRegistry["specs"]> {
    return super
      .specs()
      .map((spec) => (spec.type === "function" ? (this.#declared.get(spec.name) ?? spec) : spec));
  }
}

export function functionSpec(tool: FunctionTool): FunctionSpec {
  const open = { type: "object", properties: {} };
  return {
    type: "function",
    name: tool.name,
    description: tool.description ?? "",
    parameters: tool.parameters ?? open,
    strict: tool.strict ?? false,
  };
}

function clientFunction({ name, description }: FunctionTool): Tool {
  return {
    name,
    description: description ?? "",
    parameters: z.unknown(),
    client: true,
    run: () => Promise.reject(new Error(`${name} is the client's and is not run here.`)),
  };
}

/** The same tool, run in a container that is opened with its first call. */
function inContainer<Parameters extends z.ZodType>(
  tool: Tool<Parameters>,
  container: HostedContainer,
  { calls, stop, metrics }: ResponseToolsParts,
  name = tool.name,
): Tool<Parameters> {
  return {
    ...tool,
    name,
    async run(parameters, context): Promise<ToolResult> {
      if (!calls.admit(context.callId)) return { message: REFUSED, value: undefined, success: false };
      const lease = await container.open().catch((error: unknown) => {
        if (error instanceof WireError) stop(error);
        throw error;
      });
      const { callId, conversation, model, deadline, signal, emit, prompt } = context;
      const { session } = lease;
      const inside: ToolContext = { callId, conversation, model, deadline, signal, emit, prompt, session };
      const result = await tool.run(parameters, inside);
      const revived = container.takeRevival();
      const cell = isCell(result.value) ? result.value : undefined;
      if (cell) {
        metrics?.cell(cell.kind);
        calls.made(await container.noteFiles(cell.files ?? []));
        calls.settle(callId, { outputs: await cellOutputs(cell, session, revived) });
      }
      return revived ? { ...result, message: withNotice(result.message, revived) } : result;
    },
  };
}

function isCell(value: unknown): value is CellResult {
  return typeof value === "object" && value !== null && "kind" in value && "duration_ms" in value;
}

function withNotice(message: ToolResult["message"], revived: string): ToolResult["message"] {
  if (typeof message === "string") return `${revived}\n${message}`;
  return { ...message, notice: [revived, message.notice].filter(Boolean).join(" ") };
}

function allowedTools(tools: readonly RequestTool[], choice: RequestToolChoice): readonly RequestTool[] {
  if (choice === "none") return [];
  if (typeof choice === "string" || choice.type !== "allowed_tools") return tools;
  return tools.filter((tool) => choice.tools.some((named) => isSame(tool, named)));
}

function checkChoice(tools: readonly RequestTool[], choice: RequestToolChoice): void {
  if (typeof choice === "string") {
    if (choice === "required" && tools.length === 0) throw badChoice("Tool choice 'required' needs 'tools'.");
    return;
  }
  const named = choice.type === "allowed_tools" ? choice.tools : [choice];
  for (const one of named) {
    if (tools.some((tool) => isSame(tool, one))) continue;
    const name = one.type === "function" ? one.name : one.type;
    throw badChoice(`Tool choice '${name}' not found in 'tools' parameter.`);
  }
}

function isSame(tool: RequestTool, named: { readonly type: string; readonly name?: unknown }): boolean {
  if (tool.type === "code_interpreter") return named.type === "code_interpreter";
  return named.type === "function" && tool.name === named.name;
}

function badChoice(message: string): WireError {
  return new WireError({ status: 400, message, param: "tool_choice", code: "invalid_value" });
}
