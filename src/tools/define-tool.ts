// read what the parameters are → see inside the walls that the function is there and takes them → keep it → offer it

import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { CellResult } from "../protocol/result.ts";
import type { DefinedToolStore, ToolDefinition } from "../store/defined-tools.ts";
import { definedTool, isDefinedTool, runShown } from "./defined-tool.ts";
import { argumentsParser, type ParameterSchema, readParameterSchema } from "./parameter-schema.ts";
import { pythonData } from "./python-data.ts";
import { withoutFence } from "./python-repl.ts";
import type { ToolRegistry } from "./registry.ts";
import { type Tool, type ToolContext, type ToolResult, tool } from "./tool.ts";

export interface DefineToolParts {
  readonly store: DefinedToolStore;
  readonly registry: Pick<ToolRegistry, "get" | "replace">;
}

const MOST_TOOLS = 64;
const MOST_CODE = 32 * 1024;

const Parameters = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{2,63}$/, "3 to 64 lower-case letters, digits and _, a letter first")
    .describe("The name of the tool and of the function: lower-case letters, digits and _."),
  description: z
    .string()
    .trim()
    .min(1)
    .max(1024)
    .describe("What the tool does and when to call it, for whoever calls it later."),
  parameters: z
    .preprocess(
      (given) => (typeof given === "object" && given !== null ? JSON.stringify(given) : given),
      z.string(),
    )
    .describe(
      'The JSON Schema of the arguments, as JSON text: {"type":"object","properties":{…},"required":[…]}. No $ref and no pattern.',
    ),
  code: z
    .string()
    .max(MOST_CODE)
    .describe(
      "Python code with a function of that name, which takes these parameters by name. It imports what it needs.",
    ),
});

/** Tells what is wrong with a definition, if anything is. */
const CHECK = `\
def __tool__(text):
    import ast, builtins, json, keyword
    given = json.loads(text)
    name, declared, filled = given["name"], given["declared"], given["filled"]
    if keyword.iskeyword(name) or keyword.issoftkeyword(name) or hasattr(builtins, name):
        return f"{name} has a meaning in Python already; take another name."
    try:
        tree = ast.parse(given["code"], f"<tool {name}>")
    except SyntaxError as error:
        return f"The code is not Python: {error.msg} (line {error.lineno}: {(error.text or '').strip()})"
    except ValueError as error:
        return f"The code is not Python: {error}"
    found = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name]
    if not found:
        return f"The code defines no function {name}; write it at the top level of the code."
    if isinstance(found[-1], ast.AsyncFunctionDef):
        return f"{name} is an async function; write a plain one."
    args = found[-1].args
    if args.posonlyargs:
        return "The function has positional-only parameters; arguments are passed by name."
    plain = [arg.arg for arg in args.args]
    needed = plain[: len(plain) - len(args.defaults)]
    needed += [arg.arg for arg, default in zip(args.kwonlyargs, args.kw_defaults) if default is None]
    taken = {*plain, *(arg.arg for arg in args.kwonlyargs)}
    for each in declared:
        if each not in taken and not args.kwarg:
            return f"The function does not take {each}, which the parameters declare."
    for each in needed:
        if each not in declared:
            return f"The function needs {each}, which the parameters do not declare."
        if each not in filled:
            return f"A call may leave {each} out, but the function has no default for it; give it one, or require it."
    try:
        exec(compile(tree, f"<tool {name}>", "exec"), dict(globals()))
    except Exception as error:
        return f"The code fails when it is defined: {type(error).__name__}: {error}"
`;
const Verdict = z.object({
  kind: z.literal("object"),
  json: z.object({ problem: z.string().nullable() }),
});

export function defineTool({ store, registry }: DefineToolParts): Tool {
  return tool({
    name: "define_tool",
    description:
      "Make a tool of your own out of a Python function. It can be called from the next step on, runs in the session like " +
      "python_repl, and is offered again in later conversations. A definition of the same name takes the place of the earlier one.",
    parameters: Parameters,
    streamed: "code",
    describe: ({ name, code }) => ({ intent: `Defining the tool ${name}`, code: withoutFence(code) }),
    async run(given, context): Promise<ToolResult<ToolDefinition | undefined>> {
      const { name, description } = given;
      const code = withoutFence(given.code);
      const present = registry.get(name);
      if (present && !isDefinedTool(present)) {
        return refused(`"${name}" is a tool of Glovebox; take another name.`);
      }
      const kept = await store.list();
      if (kept.length >= MOST_TOOLS && !kept.some((each) => each.name === name)) {
        return refused(`There are ${MOST_TOOLS} defined tools, the most there may be; redefine one of them.`);
      }
      const parameters = readSchema(given.parameters);
      if (typeof parameters === "string") return refused(parameters);
      const problem = await check({ name, code, parameters }, context);
      if (problem !== undefined) return refused(problem);
      const definition: ToolDefinition = { name, description, parameters, code };
      const { replaced } = await store.save(definition);
      registry.replace(definedTool(definition));
      const notice = replaced
        ? `The tool ${name} was redefined; the earlier one is gone.`
        : `The tool ${name} can be called from now on.`;
      return {
        message: { kind: "object", json: { tool: name, replaced }, notice },
        value: definition,
        success: true,
      };
    },
  });
}

function readSchema(text: string): ParameterSchema | string {
  try {
    const schema = readParameterSchema(text);
    argumentsParser(schema);
    return schema;
  } catch (error) {
    if (error instanceof GloveboxError) return error.message;
    throw error;
  }
}

async function check(
  { name, code, parameters }: Pick<ToolDefinition, "name" | "code"> & { parameters: ParameterSchema },
  context: ToolContext,
): Promise<string | undefined> {
  const declared = Object.keys(parameters.properties);
  const filled = declared.filter(
    (each) => parameters.required.includes(each) || parameters.properties[each]?.default !== undefined,
  );
  const data = pythonData({ name, code, declared, filled });
  const cell = `${CHECK}__tool__ = {"problem": __tool__(${data})}\nglobals().pop("__tool__")`;
  return problemIn(await runShown({ cell, shown: code, context, retell }));
}

function problemIn(result: CellResult): string | undefined {
  const verdict = Verdict.safeParse(result);
  return verdict.success ? (verdict.data.json.problem ?? undefined) : notChecked(result);
}

/** The verdict in words; what ended the check itself is told as it is. */
function retell(result: CellResult): CellResult {
  if (result.kind !== "object") return result;
  const { repr: _, json: __, displays: ___, ...rest } = result;
  return { ...rest, kind: "text", text: problemIn(result) ?? "Defined." };
}

/** The code ended the check itself: by its clock, its memory, or on purpose. */
function notChecked(result: CellResult): string {
  const how = result.kind === "error" ? `${result.name}: ${result.message}` : "it gave no answer";
  return `The code could not be defined: ${how}`;
}

function refused(message: string): ToolResult<undefined> {
  return {
    message: { kind: "error", name: "BadArguments", message },
    value: undefined,
    success: false,
  };
}
