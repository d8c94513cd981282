// what was said before → what is said now → the container that code would run in → what the model is told of it all

import { defaultAgentLimits } from "../../agent/limits.ts";
import { newestTurns } from "../../history/window.ts";
import type { Model, TextFormat } from "../../models/model.ts";
import type { Item } from "../../protocol/items.ts";
import type { ToolChoice } from "../../protocol/tool-specs.ts";
import type { KeptItem } from "../../store/kept-item.ts";
import type { ResponseRecord } from "../../store/responses.ts";
import { DATA_RULE } from "../../support/delimited-data.ts";
import type { ServerParts } from "../server-parts.ts";
import { notFound, WireError } from "../wire-error.ts";
import { HostedContainer, type WantedContainer } from "./hosted-container.ts";
import { InputFiles } from "./input-files.ts";
import { readInputItems } from "./input-items.ts";
import type { CodeInterpreterTool, CreateResponse, RequestFormat, RequestToolChoice } from "./request.ts";
import { pythonName } from "./response-tools.ts";
import { toldItems } from "./told-items.ts";

/** A request that can be worked on: everything it names is there. */
export interface Prepared {
  readonly owner: string;
  readonly request: CreateResponse;
  readonly model: Model;
  /** The items of this request's own. */
  readonly input: readonly KeptItem[];
  /** The whole conversation as the model is told it. */
  readonly told: readonly Item[];
  readonly instructions: string;
  readonly python: string;
  readonly container: HostedContainer | undefined;
}

type Asked = Pick<
  CreateResponse,
  "model" | "input" | "instructions" | "previous_response_id" | "conversation" | "tools" | "truncation"
>;

export async function prepare(parts: ServerParts, owner: string, request: CreateResponse): Promise<Prepared> {
  checkTogether(request);
  const [model, before] = await Promise.all([
    parts.openModel(request.model ?? undefined),
    saidBefore(parts, owner, request),
  ]);
  return { ...(await prepareInput(parts, owner, request, before)), owner, request, model };
}

/** The part that counting and compacting need too. */
export async function prepareInput(
  parts: ServerParts,
  owner: string,
  request: Asked,
  before: readonly KeptItem[],
): Promise<Pick<Prepared, "input" | "told" | "instructions" | "python" | "container">> {
  const { responses } = parts.box.store;
  const input = await readInputItems(request.input ?? [], (id) => responses.findItem(owner, id));
  const all = [...before, ...input];
  const tools = request.tools ?? [];
  const code = tools.find((tool) => tool.type === "code_interpreter");
  const files = new InputFiles({ owner, files: parts.files, hosted: code !== undefined });
  const wanted = code && wantedContainer(code, all);
  const container =
    wanted && new HostedContainer({ server: parts, owner, wanted, files: () => files.wanted });
  await container?.check();
  const python = pythonName(tools);
  const told = await toldItems(all, { files, python, fresh: input.length });
  checkCalls(told);
  const fits = request.truncation === "auto" ? newestTurns(told, defaultAgentLimits.contextTokens) : told;
  const instructions = [request.instructions, container && (await aboutPython(python, container))];
  return { input, told: fits, instructions: instructions.filter(Boolean).join("\n\n"), python, container };
}

export async function saidBefore(
  parts: ServerParts,
  owner: string,
  { previous_response_id: previous, conversation }: Pick<Asked, "previous_response_id" | "conversation">,
): Promise<KeptItem[]> {
  const { responses, ownedConversations } = parts.box.store;
  if (conversation) {
    if (!(await ownedConversations.get(owner, conversation))) throw notFound("Conversation", conversation);
    return ownedConversations.items(conversation);
  }
  if (!previous) return [];
  const found = await responses.get(owner, previous);
  if (!found) {
    throw new WireError({
      status: 400,
      message: `Previous response with id '${previous}' not found.`,
      param: "previous_response_id",
      code: "previous_response_not_found",
    });
  }
  if (found.status === "queued" || found.status === "in_progress") {
    throw new WireError({
      status: 400,
      message: `The previous response '${previous}' is still ${found.status}; wait until it has ended.`,
      param: "previous_response_id",
    });
  }
  return (await ofConversation(parts, found)) ?? responses.chain(owner, previous);
}

/** What a response of a conversation follows is kept with the conversation, up to its own last item. */
async function ofConversation(
  { box: { store } }: ServerParts,
  { id, body }: ResponseRecord,
): Promise<KeptItem[] | undefined> {
  const conversation = (body.conversation as { id?: unknown } | undefined)?.id;
  if (typeof conversation !== "string") return undefined;
  const own = new Set((await store.responses.output(id)).map((item) => item.id));
  const items = await store.ownedConversations.items(conversation);
  const last = items.findLastIndex((item) => own.has(item.id));
  return last < 0 ? undefined : items.slice(0, last + 1);
}

function checkTogether(request: CreateResponse): void {
  const refuse = (message: string, param: string) => {
    throw new WireError({ status: 400, message, param, code: "mutually_exclusive_parameters" });
  };
  const { previous_response_id: previous, conversation, background, store, input, tools } = request;
  if (previous && conversation)
    refuse("'previous_response_id' and 'conversation' exclude each other; send one.", "previous_response_id");
  if (background && store === false)
    refuse("A background response must be stored; leave 'store' out.", "background");
  const empty = input === undefined || input === null || input.length === 0;
  if (empty && !previous && !conversation) {
    throw new WireError({
      status: 400,
      message: "Missing required parameter: 'input'.",
      code: "missing_required_parameter",
      param: "input",
    });
  }
  if ((tools ?? []).filter((tool) => tool.type === "code_interpreter").length > 1)
    refuse("There is more than one 'code_interpreter' in 'tools'; send one.", "tools");
}

function wantedContainer({ container }: CodeInterpreterTool, items: readonly KeptItem[]): WantedContainer {
  if (typeof container === "string") return { id: container };
  const last = items.findLast(({ item }) => item.type === "code_interpreter_call")?.item.container_id;
  return {
    auto: {
      ...(typeof last === "string" ? { earlier: last } : {}),
      fileIds: [...new Set(container.file_ids ?? [])],
      ...(container.memory_limit ? { memoryLimit: container.memory_limit } : {}),
    },
  };
}

/** Providers refuse a call without its output and an output without its call; we say which it is. */
function checkCalls(told: readonly Item[]): void {
  const open = new Set<string>();
  const answered = new Set<string>();
  for (const item of told) {
    if (item.type === "function_call") open.add(item.call_id);
    if (item.type !== "function_call_output" || open.delete(item.call_id) || answered.has(item.call_id)) {
      if (item.type === "function_call_output") answered.add(item.call_id);
      continue;
    }
    throw new WireError({
      status: 400,
      message: `No tool call found for function call output with call_id ${item.call_id}.`,
      param: "input",
    });
  }
  const [missing] = open;
  if (missing === undefined) return;
  throw new WireError({
    status: 400,
    message: `No tool output found for function call ${missing}.`,
    param: "input",
  });
}

/** What a model has to know to use the session well; the same from call to call, so that prompt caches hold. */
async function aboutPython(python: string, container: HostedContainer): Promise<string> {
  const there = (await container.listed())?.files ?? [];
  const given = await container.missing(new Set(there.map(({ upload }) => upload)));
  // What code made is told where it was made; a list that grows would change every prompt from its beginning.
  const paths = new Set([
    ...given.map(({ name }) => `/mnt/data/${name}`),
    ...there.filter(({ source }) => source === "user").map(({ path }) => path),
  ]);
  const names = [...paths]
    .sort()
    .slice(0, MOST_NAMED)
    .map((path) => JSON.stringify(path));
  return [
    `The tool ${python} is the python tool (the code interpreter): a persistent, sandboxed session whose working folder is /mnt/data.`,
    "Give the user a file by linking it in the answer, like [name.csv](sandbox:/mnt/data/name.csv); figures are shown to the user by themselves.",
    ...(names.length > 0 ? [`Files there now: ${names.join(", ")}.`] : []),
    DATA_RULE,
  ].join("\n");
}

const MOST_NAMED = 50;

export function toolChoiceOf(choice: RequestToolChoice, python: string): ToolChoice {
  if (typeof choice === "string") return choice;
  switch (choice.type) {
    case "allowed_tools":
      return choice.mode;
    case "function":
      return { type: "function", name: choice.name };
    case "code_interpreter":
      return { type: "function", name: python };
  }
}

export function textFormatOf(format: RequestFormat | null | undefined): TextFormat | undefined {
  switch (format?.type) {
    case "json_schema": {
      const { name, schema, strict, description } = format;
      return { name, schema, ...(strict ? { strict } : {}), ...(description ? { description } : {}) };
    }
    case "json_object":
      return { name: "json_object", schema: { type: "object" } };
    default:
      return undefined;
  }
}
