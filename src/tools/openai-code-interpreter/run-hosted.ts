// open the container → ask → where it has expired, perhaps a new one and ask again → read → give each call to the tool
import { GloveboxError } from "../../errors.ts";
import { userMessage } from "../../protocol/items.ts";
import type { HostedSpec } from "../../protocol/tool-specs.ts";
import { EventBus } from "../../support/event-bus.ts";
import { settleProviderCall } from "../provider-tool.ts";
import type { ToolResult } from "../tool.ts";
import { clientOf, requestOptions } from "./client.ts";
import { type CodeRun, citationsOf, codeRunResult } from "./code-run.ts";
import type { MemoryTier } from "./container-config.ts";
import { deleteContainer } from "./containers.ts";
import { type HostedContainer, openHostedContainer, type ProjectedFile } from "./hosted-container.ts";
import type { HostedEvent } from "./hosted-events.ts";
import { hostedRequest } from "./hosted-request.ts";
import { type HostedResponse, readResponse } from "./hosted-response.ts";
import type { HostedRun, HostedRunOptions } from "./hosted-run.ts";
import { explainRefusal } from "./refusal.ts";
import type { OpenAICodeInterpreterTool } from "./tool.ts";

/** Where a request runs: OpenAI's automatic container, or one that is open. */
interface Place {
  readonly tool: OpenAICodeInterpreterTool;
  readonly spec: HostedSpec;
  readonly memoryTier: MemoryTier;
  readonly containerId?: string;
  readonly files: readonly ProjectedFile[];
}

/** Asks OpenAI once and waits for the answer; its code interpreter may run any number of times on the way. */
export async function runHosted(options: HostedRunOptions): Promise<HostedRun> {
  if (options.tool.hasHandler && !options.context) {
    throw new GloveboxError(
      "usage",
      `The tool "${options.tool.name}" handles provider output itself and needs a context for it; give runHosted one.`,
    );
  }
  const bus = options.events ?? new EventBus<HostedEvent>();
  const stopListening = options.onEvent ? bus.on(options.onEvent) : () => {};
  try {
    const asked = { ...options, client: await clientOf(options) };
    const { place, response } = await askWithRenewal(asked, bus);
    return await finish(place, response, options, bus);
  } finally {
    stopListening();
  }
}

async function askWithRenewal(
  options: HostedRunOptions,
  bus: EventBus<HostedEvent>,
): Promise<{ place: Place; response: HostedResponse }> {
  const attempt = async (tool: OpenAICodeInterpreterTool) => {
    const place = await findPlace(tool, options, bus);
    try {
      return { place, response: await ask(place, options, bus) };
    } catch (error) {
      // Nobody else knows of a container that was made for this request.
      if (place.containerId && place.tool !== tool)
        await deleteContainer(place.containerId, options).catch(() => {});
      throw error;
    }
  };
  try {
    return await attempt(options.tool);
  } catch (error) {
    const { container } = options.tool;
    const expired = error instanceof GloveboxError && error.code === "container-expired";
    if (!expired || "type" in container) throw error;
    const renewed = options.onExpired === "new";
    const memoryTier = container.memory_limit ?? "1g";
    bus.emit({
      type: "container-expired",
      model: options.model,
      memoryTier,
      containerId: container.id,
      renewed,
    });
    if (!renewed) throw error;
    return attempt(options.tool.renewed());
  }
}

async function findPlace(
  tool: OpenAICodeInterpreterTool,
  options: HostedRunOptions,
  bus: EventBus<HostedEvent>,
): Promise<Place> {
  const { container } = tool;
  if ("type" in container && !container.host_mounts?.length && tool === options.tool) {
    return { tool, spec: tool.hosted(), memoryTier: container.memory_limit, files: [] };
  }
  const opened: HostedContainer = await openHostedContainer(tool, options);
  const { id: containerId, memoryTier, files } = opened;
  bus.emit({ type: "container-open", model: options.model, memoryTier, containerId, files: files.length });
  return { tool: opened.tool, spec: opened.tool.hosted(), memoryTier, containerId, files };
}

async function ask(
  place: Place,
  options: HostedRunOptions,
  bus: EventBus<HostedEvent>,
): Promise<HostedResponse> {
  const facts = factsOf(place, options.model);
  const limit = options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens };
  const client = await clientOf(options);
  bus.emit({ type: "hosted-request", ...facts, ...limit });
  try {
    const input = typeof options.input === "string" ? [userMessage(options.input)] : options.input;
    const body = hostedRequest({ ...options, input, spec: place.spec, files: place.files });
    const response = readResponse(await client.responses.create(body, requestOptions(options)));
    if (response.failure) throw failureOf(response);
    return response;
  } catch (error) {
    const refused = explainRefusal(error, {
      what: `The model ${options.model} did not answer`,
      code: "model-refused",
      signal: options.signal,
      ...(place.containerId ? { containerId: place.containerId } : {}),
    });
    const requestId = (error as { requestID?: unknown }).requestID;
    const traced = typeof requestId === "string" ? { requestId } : {};
    bus.emit({ type: "hosted-failed", ...facts, ...traced, code: refused.code, message: refused.message });
    throw refused;
  }
}

/** A response that failed, in the form of a refused request, so that both are told in one place. */
function failureOf({ failure, requestId }: HostedResponse): Error {
  const transient = failure?.code === "server_error" || failure?.code === "rate_limit_exceeded";
  const refused = new Error(failure?.message);
  return Object.assign(refused, { status: transient ? 500 : 400, code: failure?.code, requestID: requestId });
}

async function finish(
  place: Place,
  response: HostedResponse,
  options: HostedRunOptions,
  bus: EventBus<HostedEvent>,
): Promise<HostedRun> {
  const calls = place.tool.readProviderOutput(response.items);
  const containerId = calls.at(-1)?.value.containerId ?? place.containerId;
  const facts = { ...factsOf(place, response.model), ...(containerId ? { containerId } : {}) };
  const toolResults: ToolResult<CodeRun>[] = [];
  for (const call of calls) {
    const { context } = options;
    const result = context ? await settleProviderCall(place.tool, call, context) : codeRunResult(call.value);
    toolResults.push(result);
    const { status } = call.value;
    bus.emit({ type: "hosted-call", ...facts, callId: call.callId, status, success: result.success });
  }
  const { finishReason, usage } = response;
  const traced = response.requestId ? { requestId: response.requestId } : {};
  bus.emit({ type: "hosted-response", ...facts, ...traced, responseId: response.id, finishReason, usage });
  if (finishReason === "content-filter" && isRequired(options)) throw filteredError(response);
  return {
    ...facts,
    ...traced,
    text: response.text,
    toolResults,
    citations: response.items.flatMap((item) => (item.type === "message" ? citationsOf(item) : [])),
    finishReason,
    responseId: response.id,
    usage,
    ...(options.textFormat && finishReason === "stop" ? { parsed: parseAnswer(response.lastText) } : {}),
    files: place.files,
    tool: place.tool,
    items: response.items,
  };
}

function factsOf(
  place: Place,
  model: string,
): { model: string; memoryTier: MemoryTier; containerId?: string } {
  const { memoryTier, containerId } = place;
  return { model, memoryTier, ...(containerId ? { containerId } : {}) };
}

function isRequired({ requireOutput, textFormat, toolChoice = "auto" }: HostedRunOptions): boolean {
  return requireOutput ?? (textFormat !== undefined || toolChoice !== "auto");
}

function filteredError(response: HostedResponse): GloveboxError {
  const trace = response.requestId ? ` (request ${response.requestId})` : "";
  return new GloveboxError(
    "content-filtered",
    `OpenAI withheld the answer that was required${trace}; ask in other words, or set requireOutput: false to take what there is.`,
  );
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GloveboxError(
      "model-protocol",
      "The answer is not the JSON that its text format demands; use a model with structured output.",
      { cause },
    );
  }
}
