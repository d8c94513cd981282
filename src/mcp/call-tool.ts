// find the tool → find its session → run it, telling what it prints → shape what it says → add figures and links
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { GloveboxError } from "../errors.ts";
import { Conversation } from "../history/conversation.ts";
import type { Session } from "../session/session.ts";
import { OUTPUT_BYTES } from "../tools/bound-output.ts";
import { dispatch } from "../tools/dispatch.ts";
import { ToolRegistry } from "../tools/registry.ts";
import type { ToolContext, ToolEvent } from "../tools/tool.ts";
import { conform } from "./conform.ts";
import type { Desk } from "./desk.ts";
import type { HeldSession, Lease } from "./held-session.ts";
import { type Made, madeBy, madeContent } from "./made-content.ts";
import type { Offer } from "./offers.ts";
import { ProgressReports } from "./progress-reports.ts";
import { RecordedCall } from "./recorded-call.ts";
import { wordsOf } from "./told-error.ts";

export interface CallParts {
  readonly desk: Desk;
  readonly offers: readonly Offer[];
  /** Refuses a call over the limits of its owner, and counts it while it runs. */
  readonly admit: () => Disposable;
  readonly onMade: (held: HeldSession, made: Made) => Promise<void>;
  /** Where the audit log of what was run is; without it none is written. */
  readonly home: string | undefined;
  readonly onLog: (line: string) => void;
}

interface Call {
  readonly offer: Offer;
  readonly given: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
  readonly progress: ProgressReports;
}

interface Answer {
  readonly told: Record<string, unknown>;
  readonly success: boolean;
  readonly content?: CallToolResult["content"];
}

/** What is added to an output after it was bounded. */
const ROOM_BYTES = 400;

export async function callTool(
  { params }: CallToolRequest,
  context: ServerContext,
  parts: CallParts,
): Promise<CallToolResult> {
  const offer = parts.offers.find(({ tool }) => tool.name === params.name);
  if (!offer) {
    const names = parts.offers.map(({ tool }) => tool.name).join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${JSON.stringify(params.name.slice(0, 100))}; there are: ${names}.`,
    );
  }
  using progress = new ProgressReports(context);
  const answer = await attempt({ offer, given: params.arguments ?? {}, context, progress }, parts);
  await progress.finish();
  return {
    content: [{ type: "text", text: JSON.stringify(answer.told) }, ...(answer.content ?? [])],
    structuredContent: answer.told,
    isError: !answer.success,
  };
}

async function attempt(call: Call, parts: CallParts): Promise<Answer> {
  try {
    using _ = parts.admit();
    if (call.offer.session === "none") return await runAlone(call, parts);
    return await runInSession(call, parts);
  } catch (error) {
    if (call.context.mcpReq.signal.aborted) throw error;
    const words = wordsOf(error);
    if (words === undefined) parts.onLog(`A call of ${call.offer.tool.name} failed: ${stackOf(error)}`);
    const name = error instanceof GloveboxError && error.code === "usage" ? "BadArguments" : "ToolFailed";
    const message = words ?? "The call failed inside; the log of the server says why.";
    return {
      told: { kind: "error", name, message, traceback: `${name}: ${message}` },
      success: false,
    };
  }
}

async function runAlone(call: Call, parts: CallParts): Promise<Answer> {
  // Models like to name the session of their other calls.
  const { session: _, ...given } = call.given;
  const { told, success } = await run(call, { given, session: undefined, emit: () => {} }, parts);
  return { told, success };
}

async function runInSession(call: Call, parts: CallParts): Promise<Answer> {
  const { session: named, ...given } = call.given;
  const held = hold(named, call.offer, parts.desk);
  return held.use(async ({ session, revived }: Omit<Lease, keyof Disposable>) => {
    using record = new RecordedCall({ home: parts.home, session: held.name, onLog: parts.onLog });
    const emit = (event: ToolEvent) => {
      record.take(event);
      if (event.type === "stdout-delta" || event.type === "stderr-delta") call.progress.print(event.text);
    };
    const { told, success, value } = await run(call, { given, session, emit }, parts);
    const made = madeBy(value);
    if (made.files.length > 0) await parts.onMade(held, made);
    const notice = [told.notice, revived, whoGoesOn(named, held, parts.desk)].filter(Boolean).join(" ");
    return {
      told: {
        ...told,
        ...(notice ? { notice } : {}),
        ...(parts.desk.lasting ? {} : { session: held.name }),
      },
      success,
      content: await madeContent(made, { session, name: held.name }),
    };
  });
}

function hold(named: unknown, { session, tool }: Offer, desk: Desk): HeldSession {
  if (named === undefined || named === null || named === "") {
    if (desk.lasting || session === "begins") return desk.hold(undefined);
    throw new GloveboxError(
      "usage",
      `${tool.name} works in a session that is there: give "session", the name that an earlier call was told.`,
    );
  }
  if (typeof named === "string") return desk.hold(named);
  throw new GloveboxError("usage", `"session" must be the name of a session, as text.`);
}

function whoGoesOn(named: unknown, held: HeldSession, desk: Desk): string | undefined {
  if (desk.lasting || named === held.name) return undefined;
  return `This is a new session: give "session": "${held.name}" in the next call to go on with its variables and files.`;
}

async function run(
  { offer, context }: Call,
  { given, ...of }: Pick<Call, "given"> & { session: Session | undefined; emit: ToolContext["emit"] },
  parts: CallParts,
): Promise<{ told: Record<string, unknown>; success: boolean; value: unknown }> {
  const callId = `mcp_${context.mcpReq.id}`;
  const { output, success, value } = await dispatch(
    { type: "function_call", call_id: callId, name: offer.tool.name, arguments: JSON.stringify(given) },
    {
      registry: new ToolRegistry([offer.tool]),
      context: toolContext({ callId, signal: context.mcpReq.signal, ...of }),
      outputBytes: OUTPUT_BYTES - ROOM_BYTES,
      onLog: parts.onLog,
    },
  );
  return { told: conform(output, offer.output), success, value };
}

function toolContext(
  of: Pick<ToolContext, "callId" | "signal" | "emit"> & { readonly session: Session | undefined },
): ToolContext {
  return {
    callId: of.callId,
    get session(): Session {
      if (of.session) return of.session;
      throw new GloveboxError("tool", "This tool works outside of sessions.");
    },
    conversation: new Conversation(),
    model: { name: "unknown", provider: "mcp" },
    deadline: undefined,
    signal: of.signal,
    emit: of.emit,
    prompt: { agent: "mcp", turn: of.callId, step: 1 },
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
